"""The command itself: its help, its commands in the order a new user needs them."""

import typer

from cortex_local.cli import (
    asking,
    conflicts,
    dead_letters,
    deciding,
    demo,
    entities,
    examining,
    exporting,
    forgetting,
    importing,
    lifecycle,
    maintaining,
    owners,
    predicates,
    quarantine,
    replaying,
    retaining,
    serving_agents,
    sources,
)

EPILOG = (
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the stack does not run, "
    "4 the stack runs but something is wrong with it, 130 interrupted."
)

app = typer.Typer(
    help=(
        "A memory for agents, on your own machine.\n\n"
        "Start: cortex up\n\n"
        "Fill:  cortex import ~/.claude/projects --owner you@example.com\n\n"
        'Ask:   cortex ask "where do I live?" --subject you@example.com'
    ),
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("up")(lifecycle.up)
app.command("import")(importing.import_history)
app.command("sources")(sources.sources)
app.command("ask")(asking.ask)
app.command("facts")(asking.facts)
app.add_typer(conflicts.app, name="conflicts")
app.add_typer(quarantine.app, name="quarantine")
app.add_typer(entities.app, name="entities")
app.add_typer(owners.app, name="owner")
app.command("decide")(deciding.decide)
app.add_typer(predicates.app, name="predicates")
app.command("forget")(forgetting.forget)
app.command("mcp")(serving_agents.mcp)
app.command("status")(lifecycle.status)
app.command("doctor")(examining.doctor)
app.command("logs")(lifecycle.logs)
app.add_typer(dead_letters.app, name="dead-letters")
app.command("replay")(replaying.replay)
app.command("retain")(retaining.retain)
app.command("dump")(maintaining.dump)
app.command("export")(exporting.export)
app.command("rebuild")(maintaining.rebuild)
app.command("broker-config")(maintaining.broker_config)
app.command("provision")(maintaining.provision_servers)
app.command("demo")(demo.demo)
app.command("down")(lifecycle.down)
app.command("supervise", hidden=True)(lifecycle.supervise_stack)
