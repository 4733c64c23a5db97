class TZP:
    def use_default(self) -> None: ...

tzp: TZP
