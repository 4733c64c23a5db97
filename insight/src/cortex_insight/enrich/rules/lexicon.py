"""The words that the rules know: products by domain, languages, diets, and what is no value."""

from typing import Final


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


CHOICES: Final[dict[str, str]] = {
    "package manager": "npm, pnpm, yarn, bun, pip, poetry, uv, conda, cargo, homebrew",
    "runtime": "node, node.js, deno, jvm",
    "programming language": "python, typescript, javascript, rust, go, golang, java, kotlin, ruby,"
    "elixir, c++, c#, php, scala, haskell, swift, clojure, zig",
    "editor": "vim, neovim, emacs, vscode, vs code, helix, sublime text, pycharm, intellij,"
    "webstorm, zed, cursor, nano",
    "test framework": "pytest, unittest, jest, vitest, mocha, rspec, junit, playwright, cypress",
    "shell": "bash, zsh, fish, powershell, nushell",
    "database": "postgres, postgresql, mysql, mariadb, sqlite, mongodb, redis, duckdb, dynamodb,"
    "cassandra, oracle",
    "operating system": "linux, macos, windows, ubuntu, debian, fedora, arch, arch linux, nixos",
    "browser": "firefox, chrome, safari, brave, chromium",
    "indentation": "tabs, spaces, two spaces, four spaces, tabulations, espaces",
    "quotation marks": "single quotes, double quotes, guillemets simples, guillemets doubles",
    "theme": "dark mode, light mode, dark theme, light theme, dark themes, light themes,"
    "mode sombre, mode clair, thème sombre, thème clair",
    "hot drink": "tea, coffee, green tea, black tea, thé, café, le thé, le café, espresso",
    "web framework": "react, vue, svelte, angular, django, flask, fastapi, rails, next.js, express",
    "linter": "eslint, ruff, black, prettier, biome, pylint, flake8",
    "type checker": "mypy, pyright",
    "bundler": "webpack, vite, rollup, esbuild, parcel, turbopack",
    "containers": "docker, podman, kubernetes, docker compose, nomad",
    "hosting": "aws, azure, gcp, heroku, vercel, netlify, fly.io, cloudflare, hetzner, ovh",
    "continuous integration": "github actions, jenkins, circleci, gitlab ci, travis",
    "version control": "git, mercurial, jujutsu, github, gitlab, bitbucket",
    "merging": "rebase, merge commits, rebasing, squash merges, squashing, merging",
    "messenger": "slack, discord, teams, telegram, whatsapp, signal, zoom",
    "notes": "notion, obsidian, evernote, logseq, org mode",
    "infrastructure": "terraform, pulumi, ansible, opentofu, helm",
    "assistant": "claude, chatgpt, copilot, gemini, claude code, codex, mistral",
    "answer length": "short answers, long answers, concise answers, detailed answers,"
    "brief answers, réponses courtes, réponses longues, des réponses courtes",
    "way of travel": "the train, train, trains, flying, driving, cycling, avion, voiture",
    "api style": "rest, graphql, grpc",
    "meetings": "calls, video calls, in-person meetings, async updates, written updates",
}

DOMAINS: Final[dict[str, str]] = {
    name.strip(): domain for domain, names in CHOICES.items() for name in names.split(",")
}
"""The domain of what is commonly chosen between, by its name in lower case."""

LANGUAGES: Final = words(
    "english french german spanish italian portuguese dutch polish russian ukrainian arabic "
    "hebrew turkish greek swedish norwegian danish finnish czech hungarian romanian chinese "
    "mandarin cantonese japanese korean hindi vietnamese thai catalan breton welsh irish "
    "anglais français francais allemand espagnol italien portugais néerlandais polonais russe "
    "ukrainien arabe hébreu turc grec suédois norvégien danois finnois tchèque hongrois roumain "
    "chinois japonais coréen vietnamien catalan basque"
)

DIETS: Final = words(
    "vegan vegetarian pescatarian végétarien végétarienne végane végan végétalien "
    "végétalienne flexitarian flexitarien flexitarienne"
)

NUMBERS: Final[dict[str, int]] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8,
}  # fmt: skip

MONTHS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        (
            "january janvier", "february février fevrier", "march mars", "april avril", "may mai",
            "june juin", "july juillet", "august août aout", "september septembre",
            "october octobre", "november novembre", "december décembre decembre",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

WEEKDAYS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        (
            "monday lundi", "tuesday mardi", "wednesday mercredi", "thursday jeudi",
            "friday vendredi", "saturday samedi", "sunday dimanche",
        )
    )
    for name in names.split()
}  # fmt: skip

NEVER_A_VALUE: Final = words(
    "it its this that these those the a an some any all both each every such your you yours u "
    "him her them they me myself my mine our ours us his their he she we i who whom whose what "
    "which how why when where there here something anything everything nothing someone anyone "
    "everyone nobody one ones more most less least very so too not no none only just to of as "
    "than then if is are was were be being been do does did have has had can could would should "
    "will shall may might must same other another own lot lots way idea "
    "ce cet cette ces cela ça ca ceci le la les l un une des du de d mon ma mes ton ta tes son sa "
    "ses notre nos votre vos leur leurs il elle ils elles on nous vous tu te toi moi lui eux je "
    "qui que quoi dont où ou quand comment pourquoi tout tous toute toutes rien quelque chose "
    "plus moins très trop pas ne être avoir est sont faire bien beaucoup même autre autres"
)
"""Words that stand for something said elsewhere, or carry a sentence on."""

NO_PLACES: Final = words(
    "settings preferences page tab sales marketing engineering design support management "
    "production staging chapter section part step phase level plan backlog main master "
    "google amazon microsoft apple meta netflix production"
)
"""What one can move to, in capitals too, without living there."""

BORDER_WORDS: Final = (
    "for|in|on|at|with|without|to|because|since|until|till|when|whenever|while|so|but|which|who|"
    "that|as|if|by|from|over|instead|rather|everywhere|daily|now|nowadays|too|also|mostly|only|"
    "again|today|already|here|there|please|these|this|every|any|anymore|than|though|although|"
    "however|where|except|after|before|during|through|via|about|like|recently|last|next|"
    "yesterday|tomorrow|always|never|usually|often|pretty|really|much|most|ever|since|yet|still|"
    "pour|dans|en|sur|avec|sans|parce|depuis|jusqu'à|jusqu'au|quand|lorsque|mais|donc|qui|"
    "que|dont|comme|si|chez|plutôt|partout|maintenant|aussi|surtout|seulement|encore|déjà|ici|"
    "par|au|aux|à|tous|toujours|jamais|aujourd'hui|puis|afin|lors|pendant|désormais|récemment"
)
"""A phrase ends before one of these."""
