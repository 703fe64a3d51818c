// The bytes of a file as text, for a request in JSON.

/**
 * The bytes of a file, unchanged.
 * @param {Blob} file
 * @param {string} name
 * @returns {Promise<string>}
 */
export function base64(file, name) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(new Error(`${name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
