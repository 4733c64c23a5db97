"""What is commonly chosen between, by domain, and the names of domains in both languages."""

from typing import Final

from cortex_insight.enrich.rules.lexicon.words import words

CHOICES: Final[dict[str, str]] = {
    "package manager": "npm, pnpm, yarn, bun, pip, poetry, uv, conda, cargo, homebrew",
    "runtime": "node, node.js, deno, jvm",
    "programming language": "python, typescript, javascript, rust, go, golang, java, kotlin, ruby,"
    "elixir, c++, c#, php, scala, haskell, swift, clojure, zig",
    "editor": "vim, neovim, emacs, vscode, vs code, helix, sublime text, pycharm, intellij,"
    "webstorm, zed, cursor, nano, eclipse, android studio, xcode, kakoune",
    "test framework": "pytest, unittest, jest, vitest, mocha, rspec, junit, playwright, cypress",
    "shell": "bash, zsh, fish, powershell, nushell",
    "database": "postgres, postgresql, mysql, mariadb, sqlite, mongodb, redis, duckdb, dynamodb,"
    "cassandra, oracle",
    "operating system": "linux, macos, windows, ubuntu, debian, fedora, arch, arch linux, nixos",
    "browser": "firefox, chrome, safari, brave, chromium, vivaldi, arc browser, librewolf",
    "indentation": "tabs, spaces, two spaces, four spaces, tabulations, espaces",
    "quotation marks": "single quotes, double quotes, guillemets simples, guillemets doubles",
    "theme": "dark mode, light mode, dark theme, light theme, dark themes, light themes,"
    "mode sombre, mode clair, thème sombre, thème clair",
    "hot drink": "tea, coffee, green tea, black tea, thé, café, le thé, le café, espresso",
    "web framework": "react, vue, svelte, angular, django, flask, fastapi, rails, next.js, express",
    "linter": "eslint, ruff, black, prettier, biome, pylint, flake8",
    "social network": "facebook, instagram, tiktok, twitter, mastodon, bluesky, linkedin, reddit,"
    "snapchat",
    "mail": "gmail, outlook, thunderbird, fastmail, protonmail, proton mail, apple mail",
    "file storage": "dropbox, google drive, onedrive, nextcloud, icloud, syncthing",
    "music service": "spotify, tidal, deezer, apple music, qobuz, youtube music",
    "issue tracker": "jira, trello, asana, clickup, todoist, github issues",
    "design tool": "figma, sketch, penpot, adobe xd, photoshop, gimp, canva",
    "message broker": "kafka, rabbitmq, nats, sqs, pulsar",
    "terminal": "kitty, alacritty, wezterm, iterm, iterm2, ghostty, tmux",
    "monitoring": "grafana, prometheus, datadog, sentry, new relic",
    "type checker": "mypy, pyright",
    "bundler": "webpack, vite, rollup, esbuild, parcel, turbopack",
    "containers": "docker, podman, kubernetes, docker compose, nomad",
    "hosting": "aws, azure, gcp, heroku, vercel, netlify, fly.io, cloudflare, hetzner, ovh",
    "continuous integration": "github actions, jenkins, circleci, gitlab ci, travis, "
    "buildkite, woodpecker",
    "version control": "git, mercurial, jujutsu, github, gitlab, bitbucket",
    "merging": "rebase, merge commits, rebasing, squash merges, squashing, merging",
    "messenger": "slack, discord, teams, telegram, whatsapp, signal, zoom, zulip, mattermost,"
    "rocket.chat",
    "notes": "notion, obsidian, evernote, logseq, org mode, joplin, confluence, onenote, "
    "apple notes,"
    "roam",
    "infrastructure": "terraform, pulumi, ansible, opentofu, helm",
    "assistant": "claude, chatgpt, copilot, gemini, claude code, codex, mistral",
    "answer length": "short replies, long replies, short answers, long answers, concise "
    "answers, detailed answers,"
    "brief answers, réponses courtes, réponses longues, des réponses courtes",
    "way of travel": "the train, train, trains, flying, driving, cycling, avion, voiture",
    "api style": "rest, graphql, grpc",
    "meetings": "calls, video calls, in-person meetings, async updates, written updates",
}

DOMAINS: Final[dict[str, str]] = {
    name.strip(): domain for domain, names in CHOICES.items() for name in names.split(",")
}
"""The domain of what is commonly chosen between, by its name in lower case."""


DOMAIN_NAMES: Final[dict[str, str]] = {
    name.strip(): domain
    for domain, names in {
        "colour": "color, colours, colors, couleur, couleurs",
        "food": "dish, meal, plat, nourriture, repas, cuisine",
        "film": "movie, movies, films",
        "series": "tv show, show, tv series, série",
        "book": "novel, livre, roman, bouquin",
        "song": "chanson, track, morceau",
        "band": "group, groupe, music group, groupe de musique",
        "singer": "chanteur, chanteuse",
        "music": "musique, genre of music, genre musical",
        "season": "saison",
        "animal": "animals, bête",
        "flower": "fleur",
        "game": "jeu, video game, videogame, jeu vidéo, board game, jeu de société",
        "sport": "sports",
        "city": "town, ville",
        "country": "pays",
        "place": "endroit, lieu, spot",
        "drink": "boisson, beverage",
        "dessert": "sweet",
        "fruit": "fruits",
        "vegetable": "légume, veggie",
        "author": "writer, auteur, autrice, écrivain, écrivaine",
        "actor": "acteur, actrice, actress",
        "painter": "peintre, artist, artiste",
        "brand": "marque",
        "subject": "matière, school subject",
        "number": "nombre, chiffre",
        "day": "jour, weekday",
        "restaurant": "resto",
        "holiday": "fête",
        "tea": "thé",
        "programming language": "langage, langage de programmation",
        "language": "langue",
        "editor": "éditeur, text editor, code editor, ide, éditeur de texte",
        "browser": "navigateur, web browser",
        "operating system": "os, système d'exploitation, distro",
        "database": "base de données, db",
        "framework": "web framework",
        "assistant": "ai assistant, ai, ia",
        "work": "travail, boulot, my work, le travail",
        "breakfast": "petit-déjeuner, petit déjeuner, le petit-déjeuner",
        "lunch": "déjeuner, le déjeuner",
        "dinner": "dîner, le dîner, supper",
        "travel": "voyage, voyages, les voyages, trips, travelling, traveling",
        "answers": "réponses, les réponses",
        "code": "le code, coding",
        "notes": "les notes, note-taking",
    }.items()
    for name in names.split(",")
}
"""The name of a domain by what else it is called, in English and French."""

NO_DOMAINS: Final = words(
    "topic part line bit thing one way section scene aspect moment sentence paragraph option "
    "version "
    "example error bug partie passage chose phrase ligne erreur façon manière"
)
"""What one likes best of something said elsewhere, and of nothing lasting."""
