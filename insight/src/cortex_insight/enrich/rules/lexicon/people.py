"""What people are: by nation, faith, language and profession, in English and French."""

from typing import Final

from cortex_insight.enrich.rules.lexicon.words import words

LANGUAGES: Final = words(
    "english french german spanish italian portuguese dutch polish russian ukrainian arabic "
    "hebrew turkish greek swedish norwegian danish finnish czech hungarian romanian chinese "
    "mandarin cantonese japanese korean hindi vietnamese thai catalan breton welsh irish "
    "anglais français francais allemand espagnol italien portugais néerlandais polonais russe "
    "ukrainien arabe hébreu turc grec suédois norvégien danois finnois tchèque hongrois roumain "
    "chinois japonais coréen vietnamien catalan basque swahili bengali urdu persian farsi "
    "indonesian malay tagalog serbian croatian slovak slovene bulgarian latin esperanto "
    "icelandic estonian latvian lithuanian albanian georgian armenian galician afrikaans tamil "
    "breton mandarin cantonais hindi persan serbe croate bulgare"
)

NATIONALITIES: Final = words(
    "american british english scottish welsh irish canadian australian french german spanish "
    "italian portuguese dutch belgian swiss austrian danish swedish norwegian finnish icelandic "
    "polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian estonian "
    "latvian lithuanian croatian serbian slovenian albanian georgian armenian israeli lebanese "
    "syrian iranian iraqi egyptian moroccan algerian tunisian senegalese ivorian nigerian "
    "ghanaian kenyan ethiopian tanzanian ugandan south-african indian pakistani bangladeshi "
    "nepali chinese japanese korean vietnamese thai filipino indonesian malaysian singaporean "
    "mexican brazilian argentinian argentine chilean colombian peruvian cuban jamaican venezuelan "
    "américain américaine britannique anglais anglaise écossais écossaise irlandais irlandaise "
    "canadien canadienne québécois québécoise australien australienne français française "
    "allemand allemande espagnol espagnole italien italienne portugais portugaise néerlandais "
    "néerlandaise belge suisse autrichien autrichienne danois danoise suédois suédoise norvégien "
    "norvégienne finlandais finlandaise polonais polonaise tchèque hongrois hongroise roumain "
    "roumaine grec grecque turc turque russe ukrainien ukrainienne libanais libanaise marocain "
    "marocaine algérien algérienne tunisien tunisienne sénégalais sénégalaise ivoirien ivoirienne "
    "malien malienne camerounais camerounaise congolais congolaise indien indienne chinois "
    "chinoise japonais japonaise coréen coréenne vietnamien vietnamienne mexicain mexicaine "
    "brésilien brésilienne argentin argentine chilien chilienne colombien colombienne"
)

RELIGIONS: Final = words(
    "catholic protestant christian muslim jewish buddhist hindu sikh atheist agnostic orthodox "
    "lutheran anglican methodist baptist mormon quaker "
    "catholique protestante chrétien chrétienne musulman musulmane juif juive bouddhiste "
    "hindoue athée agnostique orthodoxe anglicane"
)

PROFESSIONS: Final = words(
    "accountant actor actress actuary analyst anaesthetist archaeologist architect artist "
    "astronomer attorney author baker banker barber barista barrister bartender biologist "
    "bookkeeper botanist bricklayer builder butcher cardiologist caretaker carpenter cashier ceo "
    "cfo chef chemist cio coach composer conductor consultant contractor cook coo copywriter "
    "cto curator dancer dentist dermatologist designer detective developer dietitian diplomat "
    "director doctor drummer ecologist economist editor electrician engineer estate-agent "
    "farmer filmmaker firefighter fisherman florist gardener geologist goldsmith hairdresser "
    "headteacher historian illustrator instructor interpreter janitor jeweller joiner journalist "
    "judge lawyer lecturer librarian lifeguard linguist locksmith magistrate maintainer manager "
    "mathematician mechanic meteorologist midwife miner musician neurologist notary novelist "
    "nurse nutritionist optician optometrist orthodontist paediatrician painter paralegal "
    "paramedic pathologist pharmacist photographer physician physicist physiotherapist pianist "
    "pilot plumber podiatrist poet policeman policewoman politician postman potter principal "
    "producer professor programmer psychiatrist psychologist publisher radiologist realtor "
    "receptionist recruiter researcher roofer sailor salesman saleswoman scientist sculptor "
    "secretary shepherd singer sociologist soldier solicitor statistician steward stewardess "
    "stonemason student superintendent supervisor surgeon surveyor sysadmin tailor teacher "
    "technician therapist tiler trader trainer translator tutor underwriter undertaker vet "
    "veterinarian violinist vp waiter waitress warden watchmaker welder winemaker writer zoologist "
    "lead head intern apprentice freelancer administrator specialist strategist coordinator "
    "assistant "
    "acheteur acheteuse acteur actrice actuaire agriculteur agricultrice aide-soignant "
    "aide-soignante analyste animateur animatrice archéologue architecte artiste assistant "
    "assistante astronome auteur autrice avocat avocate banquier banquière bibliothécaire "
    "bijoutier biologiste boucher bouchère boulanger boulangère caissier caissière cardiologue "
    "charpentier chauffeur chauffeuse chef cheffe chercheur chercheuse chimiste chirurgien "
    "chirurgienne coach coiffeur coiffeuse comédien comédienne commercial commerciale comptable "
    "conducteur conductrice conseiller conseillère consultant consultante couturier couturière "
    "cuisinier cuisinière danseur danseuse dentiste designer développeur développeuse directeur "
    "directrice économiste écrivain écrivaine éditeur éditrice éducateur éducatrice électricien "
    "électricienne enseignant enseignante ergothérapeute esthéticienne facteur factrice fleuriste "
    "formateur formatrice garagiste gendarme géologue graphiste historien historienne horloger "
    "huissier illustrateur illustratrice infirmier infirmière informaticien informaticienne "
    "ingénieur ingénieure instituteur institutrice interprète jardinier jardinière journaliste "
    "juge juriste kiné kinésithérapeute libraire linguiste maçon magistrat maraîcher maraîchère "
    "mathématicien mathématicienne mécanicien mécanicienne médecin menuisier menuisière "
    "monteur monteuse musicien musicienne notaire opticien opticienne orthophoniste ostéopathe "
    "ouvrier ouvrière pâtissier pâtissière paysagiste peintre pharmacien pharmacienne photographe "
    "physicien physicienne pilote plombier poète policier policière pompier pompière potier "
    "professeur professeure prof psychiatre psychologue puéricultrice réalisateur réalisatrice "
    "rédacteur rédactrice restaurateur restauratrice sage-femme secrétaire serveur serveuse "
    "soudeur soudeuse sociologue statisticien statisticienne technicien technicienne traducteur "
    "traductrice urbaniste vendeur vendeuse vétérinaire vigneron vigneronne étudiant étudiante "
    "stagiaire alternant alternante apprenti apprentie responsable"
)
"""Nouns that name a profession wherever somebody says to be one."""

TITLE_WORDS: Final = words(
    "cto ceo cfo coo cio vp head director principal chief dean president manager chair lead editor"
)
"""What one can be of an organisation without an article."""

NO_OFFICES: Final = words(
    "guest regular patient customer visitor member client user subscriber fan idiot stranger "
    "newcomer beginner neighbour resident tourist passenger prisoner believer mess"
)
"""What one is at or of an organisation without working for it."""
