# Makefile targets that measure the engine, and that write documents and data.

##@ Measure
.PHONY: bench bench-peers benchmarks bench-tag match
bench: build ## search fixed positions; print nodes and speed
	./standstill bench
bench-peers: build .venv/.installed-tests ## compare speed and memory with other engines
	$(PY) -P tools/measure/beside/peers.py
benchmarks: build .venv/.installed-tests ## measure and write docs/benchmarks (many minutes)
	PATH="$$PATH:/usr/games" $(PY) -P tools/measure/beside/benchmarks.py
bench-tag: build .venv/.installed-tests ## compare `tag` with python-chess: GAMES="files or folders"
	$(TREE) tools/measure/cost/tagging.py $(GAMES)
match: build ## play against an older commit: BASE=main SPRT=0,5 NEW= OLD=
	@MAKE='$(MAKE)' tools/make/match.sh

##@ Write documents and data
.PHONY: docs site screenshots endings openings tables
docs: build ## write options.md, engine.ini and the manual page
	$(TREE) -m standstill.engine.settings.option_texts
	$(TREE) -m standstill.protocol.cli.man .
# NO_MKDOCS_2_WARNING: keeps the theme's advertisement out of the output.
site: build .venv/.installed-docs ## write the documentation as HTML: build/site/index.html
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --quiet --strict --clean -f tools/site/mkdocs.yml
	@echo "see build/site/index.html"
screenshots: build .venv/.installed-tests ## draw the terminals and photograph the pages in docs
	$(TREE) tools/measure/pictures/screenshots.py
	$(TREE) tools/measure/pictures/web.py
	$(TREE) tools/measure/pictures/browse.py
endings: build .venv/.installed-tests ## write tests/data/endings.epd (a minute)
	$(TREE) tools/measure/play/endings.py
openings: build .venv/.installed-tests ## write tests/data/openings (a quarter of an hour)
	$(TREE) tools/measure/play/openings.py
tables: build ## write the three-men tables in engine/tablebases/data
	rm -f engine/tablebases/data/*
	./standstill tables --path engine/tablebases/data build --men 3
	./standstill tables --path engine/tablebases/data --whole-game build --men 3
