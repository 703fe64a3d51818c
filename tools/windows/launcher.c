/* standstill.exe, and the interpreter of its workers: both run Python's library from the folder `runtime`.

   standstill.exe lies beside that folder and runs the program in it. With INTERPRETER defined it is python.exe, which
   lies inside that folder and takes the arguments of Python. */

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

typedef int (*python_main)(int count, wchar_t **words);

enum { LONGEST = 32768 }; /* characters of a path, for Windows */

/* Writes to the console, or to a file or pipe in the code page of Windows. fwprintf would drop the rest of a path behind
   the first letter that the C locale lacks. */
static void say(const wchar_t *text)
{
    static char bytes[4 * LONGEST];
    HANDLE errors = GetStdHandle(STD_ERROR_HANDLE);
    DWORD written;
    int length = (int) wcslen(text);
    if (WriteConsoleW(errors, text, length, &written, NULL))
        return;
    length = WideCharToMultiByte(CP_ACP, 0, text, length, bytes, sizeof(bytes), NULL, NULL);
    WriteFile(errors, bytes, length, &written, NULL);
}

static int fail(const wchar_t *expected, const wchar_t *where)
{
    DWORD sharing[2];
    say(L"standstill: expected ");
    say(expected);
    say(L", found none at ");
    say(where);
    say(L": unpack the whole archive\r\n");
    if (GetConsoleProcessList(sharing, 2) == 1) { /* a double click: the window would close before it is read */
        say(L"Press Enter.\r\n");
        getwchar();
    }
    return 2;
}

static wchar_t *joined(const wchar_t *folder, const wchar_t *name)
{
    size_t room = wcslen(folder) + wcslen(name) + 1;
    wchar_t *path = malloc(room * sizeof(wchar_t));
    if (path != NULL)
        swprintf(path, room, L"%ls%ls", folder, name);
    return path;
}

int wmain(int count, wchar_t **words)
{
    static wchar_t here[LONGEST];
    DWORD length = GetModuleFileNameW(NULL, here, LONGEST);
    wchar_t *library, **all;
    HMODULE python;
    python_main run;
    int i, given = 0;
    while (length > 0 && here[length - 1] != L'\\')
        here[--length] = 0;
#ifdef INTERPRETER
    library = joined(here, LIBRARY);
#else
    library = joined(here, L"runtime\\" LIBRARY);
#endif
    all = calloc(count + 4, sizeof(*all));
    if (library == NULL || all == NULL)
        return 2;
    /* The libraries beside Python's are found by its location, whatever the environment says. */
    python = LoadLibraryExW(library, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    run = python == NULL ? NULL : (python_main) (void *) GetProcAddress(python, "Py_Main");
    if (run == NULL)
        return fail(LIBRARY, library);
    all[given++] = words[0];
#ifndef INTERPRETER
    all[given++] = L"-IBS";
    all[given++] = joined(here, L"runtime\\start.py");
#endif
    for (i = 1; i < count; i++)
        all[given++] = words[i];
    return run(given, all);
}
