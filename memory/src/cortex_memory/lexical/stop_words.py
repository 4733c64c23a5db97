"""Words that hold a sentence together and tell nothing of what it is about."""

from enum import StrEnum
from typing import Final


class Language(StrEnum):
    """Languages whose words are stemmed, by the names of their Snowball stemmers."""

    ENGLISH = "english"
    FRENCH = "french"
    GERMAN = "german"
    SPANISH = "spanish"


_ENGLISH: Final = """
a about above after again against all am an and any are aren as at be because been before being
below between both but by can could couldn d did didn do does doesn doing don down during each few
for from further had hadn has hasn have haven having he her here hers herself him himself his how i
if in into is isn it its itself just let ll m me might more most must my myself no nor not now of
off on once only or other our ours ourselves out over own re s same shall she should shouldn so some
such t than that the their theirs them themselves then there these they this those through to too
under until up us ve very was wasn we were weren what when where which while who whom whose why will
with won would wouldn you your yours yourself yourselves
"""
_FRENCH: Final = """
à ai aie ait alors après as au aucun aura aurait aussi autre aux avaient avais avait avant avec avez
avoir avons ayant c ça car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme
comment d dans de depuis des donc dont du elle elles en encore entre es est et étaient étais était
été être eu eux fait faut furent fut il ils j je jusqu l la là le les leur leurs lors lui m ma mais
me même mes moi mon n ne ni nos notre nous on ont ou où par parce pas pendant peu peut plus pour
pourquoi pouvait près puis qu quand que quel quelle quelles quels qui quoi s sa sans sauf se sera
serait ses si sien soi soient sois soit sommes son sont sous suis sur t ta tandis te tes toi ton
tous tout toute toutes très tu un une vers voici voilà vos votre vous y
"""
_GERMAN: Final = """
aber alle allem allen aller alles als also am an andere anderen anderer auch auf aus bei beim bin
bis bist da dabei dadurch damit dann daran darauf das dass dein deine deinem deinen deiner dem den
denn der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch
ein eine einem einen einer eines er es etwas euch euer eure für gegen gewesen hab habe haben hat
hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins
ist ja jede jedem jeden jeder jedes jene jener jetzt kann kein keine keinem keinen keiner können
könnte man mein meine meinem meinen meiner mich mir mit muss nach nicht nichts noch nun nur ob oder
ohne sehr sein seine seinem seinen seiner seit selbst sich sie sind so solche sollte sondern sonst
über um und uns unser unsere unter vom von vor wann war waren warst was weg weil weiter welche
welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieder will wir wird wirst
wo wollen worden wurde wurden würde während zu zum zur zwar zwischen
"""
_SPANISH: Final = """
a al algo alguna algunas alguno algunos ante antes aquel aquella aquello aún aunque cada como cómo
con contra cual cuál cuales cuando cuándo cuanto de del desde donde dónde dos e el él ella ellas
ellos en entonces entre era eran eres es esa esas ese eso esos esta está estaba estaban estado
estamos están estar estas este esto estos estoy fue fueron fui ha había habían han has hasta hay he
hemos la las le les lo los más me mi mí mientras mis mucho muchos muy nada ni no nos nosotros
nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque pues que qué
quien quién quienes se sea ser será si sí sido siempre sin sobre solo sólo somos son soy su sus
también tanto te tengo tenía ti tiene tienen todo todos tu tú tus un una unas uno unos usted ustedes
vosotros vuestra vuestro y ya yo
"""

STOP_WORDS: Final = {
    Language.ENGLISH: frozenset(_ENGLISH.split()),
    Language.FRENCH: frozenset(_FRENCH.split()),
    Language.GERMAN: frozenset(_GERMAN.split()),
    Language.SPANISH: frozenset(_SPANISH.split()),
}
