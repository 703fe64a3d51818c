# `make help`: the sections ("##@ title") and targets ("name: needs ## what it does") of the Makefile.

/^##@ / { printf "%s%s\n", separator, substr($0, 5); separator = "\n" }
/^[a-z-]+:.* ## / { printf "  make %-11s  %s\n", substr($1, 1, length($1) - 1), substr($0, index($0, " ## ") + 4) }
END { print "\ndocs/development.md explains the targets and their variables." }
