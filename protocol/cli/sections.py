"""A group of commands whose help lists them in sections, because a list of twenty or more is hard to search."""

from collections.abc import Mapping

import click


class SectionedGroup(click.Group):
    """``sections``: the names of the commands by the heading under which the help lists them."""

    sections: Mapping[str, tuple[str, ...]]

    def list_commands(self, context: click.Context) -> list[str]:
        return [name for names in self.sections.values() for name in names]

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        wide = max(len(name) for name in self.list_commands(context))
        for heading, names in self.sections.items():
            commands = [(name, self.get_command(context, name)) for name in names]
            limit = formatter.width - 6 - wide
            rows = [(name.ljust(wide), command.get_short_help_str(limit)) for name, command in commands if command]
            with formatter.section(heading):
                formatter.write_dl(rows)
