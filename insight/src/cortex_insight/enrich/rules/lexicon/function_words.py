"""Words that end a value, that are none, and that name no person or place."""

from typing import Final

from cortex_insight.enrich.rules.lexicon.words import words

NEVER_A_VALUE: Final = words(
    "it its this that these those the a an some any all both each every such your you yours u "
    "him her them they me myself my mine our ours us his their he she we i who whom whose what "
    "which how why when where there here something anything everything nothing someone anyone "
    "everyone nobody one ones more most less least very so too not no none only just to of as "
    "than then if and or nor et ni is are was were be being been do does did have has had "
    "can could would should "
    "will shall may might must same other another own lot lots way idea out much well enough "
    "ce cet cette ces cela ça ca ceci le la les l un une des du de d mon ma mes ton ta tes son sa "
    "ses notre nos votre vos leur leurs il elle ils elles on nous vous tu te toi moi lui eux je "
    "qui que quoi dont où ou quand comment pourquoi tout tous toute toutes rien quelque chose "
    "plus moins très trop pas ne être avoir est sont faire bien beaucoup même autre autres "
    "qu c j n celui-ci celui-là celle-ci celle-là ceux-ci celles-ci"
)
"""Words that stand for something said elsewhere, or carry a sentence on."""

NO_PLACES: Final = words(
    "settings preferences page tab sales marketing engineering design support management "
    "production staging chapter section part step phase level plan backlog main master "
    "google amazon microsoft apple meta netflix production"
)
"""What one can move to, in capitals too, without living there."""

BORDER_WORDS: Final = (
    r"le\s+(?:mois|week-end|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|soir|matin)|"
    r"la\s+semaine|l'après-midi|l'an|l'année|il\s+y\s+a|"
    "uniquement|principalement|seulement|exclusively|tbh|btw|ngl|imo|imho|fyi|lol|for|in|on|at|with|without|to|because|since|until|till|when|whenever|while|so|but|which|who|"
    "that|as|if|by|from|over|instead|rather|everywhere|daily|now|nowadays|too|also|mostly|only|"
    "again|today|already|here|there|please|these|this|every|any|anymore|than|though|although|"
    "however|where|except|after|before|during|through|via|about|like|recently|last|next|"
    "yesterday|tomorrow|always|never|usually|often|pretty|really|much|most|ever|since|yet|still|"
    "pour|dans|en|sur|avec|sans|parce|depuis|jusqu'à|jusqu'au|quand|lorsque|mais|donc|qui|"
    "que|dont|comme|si|chez|plutôt|partout|maintenant|aussi|surtout|seulement|encore|déjà|ici|"
    "par|au|aux|à|tous|toujours|jamais|aujourd'hui|puis|afin|lors|pendant|désormais|récemment"
)
"""A phrase ends before one of these."""

NO_PERSONS: Final = words(
    "i i'm we he she they it you this that these those the a an my our his her their your "
    "there here what who which when where why how if so but and or not no yes one someone "
    "somebody everyone everybody nobody anyone people users user customers customer team company "
    "client admin support sales marketing engineering everything nothing something today "
    "tomorrow yesterday mum mom mummy dad daddy mama papa maman grandma grandpa granny auntie "
    "uncle aunt summer winter spring autumn thanks hello hi dear sir madam let just maybe perhaps "
    "currently previously formerly meanwhile also still now then well ok okay please sorry "
    "je tu il elle on nous vous ils elles ce ça cela celui le la les un une des mon ma mes ton "
    "ta tes son sa ses notre nos votre vos leur leurs qui que quoi où quand comment pourquoi si "
    "mais donc or ni car ne pas oui non tout tous toute toutes quelqu'un personne rien chacun "
    "aujourd'hui demain hier merci bonjour salut maintenant avant après ici là "
    "god google amazon microsoft apple meta netflix facebook twitter openai mercury venus mars "
    "jupiter saturn monday english french german spanish european american python docker"
)
"""What may begin a sentence with a capital and is nobody."""

POINTING: Final = words(
    "it this that these those them ça cela ceci celui celle what which whatever something "
    "anything everything nothing quoi rien so"
)
"""Words for which one would have to know what was said before."""
