"""What belongs to daily life: food, health, pastimes and things, in English and French."""

from typing import Final

from cortex_insight.enrich.rules.lexicon.words import phrases, words

DIETS: Final = words(
    "vegan vegetarian pescatarian végétarien végétarienne végane végan végétalien "
    "végétalienne flexitarian flexitarien flexitarienne keto ketogenic kosher halal paleo "
    "pescetarian gluten-free plant-based low-carb cétogène casher pescétarien pescétarienne"
)

FOODS: Final = words(
    "coffee tea meat pork beef chicken fish seafood alcohol wine beer sugar gluten dairy milk "
    "cheese eggs bread soda caffeine chocolate salt butter nuts cola spirits sweets carbs "
    "café thé viande porc bœuf poulet poisson alcool vin bière sucre lait fromage œufs pain "
    "chocolat sel beurre soda caféine charcuterie sucreries"
)

INTOLERANCES: Final = words("gluten lactose fructose histamine lait")

CONDITIONS: Final = phrases(
    "asthma, adhd, add, autism, epilepsy, diabetes, type 1 diabetes, type 2 diabetes, "
    "arthritis, migraines, chronic migraines, hypertension, high blood pressure, low blood "
    "pressure, coeliac disease, celiac disease, crohn's disease, eczema, psoriasis, insomnia, "
    "tinnitus, dyslexia, depression, anxiety, bipolar disorder, ptsd, ocd, scoliosis, "
    "sciatica, gout, anaemia, anemia, hay fever, sleep apnoea, sleep apnea, endometriosis, "
    "fibromyalgia, multiple sclerosis, ms, parkinson's, lupus, ibs, hypothyroidism, "
    "osteoporosis, glaucoma, diabetic, asthmatic, epileptic, autistic, dyslexic, colour- "
    "blind, colour blind, color-blind, colorblind, deaf, blind, bipolar, coeliac, celiac, "
    "anaemic, hypertensive, short-sighted, asthme, tdah, autisme, épilepsie, diabète, "
    "arthrite, arthrose, hypertension, eczéma, insomnie, insomnies, acouphènes, "
    "dyslexie, dépression, anxiété, sciatique, goutte, anémie, rhume des foins, apnée du "
    "sommeil, endométriose, fibromyalgie, sclérose en plaques, maladie cœliaque, diabétique, "
    "asthmatique, épileptique, autiste, dyslexique, daltonien, daltonienne, sourd, sourde, "
    "aveugle, malentendant, malentendante, malvoyant, malvoyante, bipolaire, myope, "
    "hypertendu, hypertendue, cœliaque"
)

MEDICINES: Final = words(
    "insulin aspirin ibuprofen paracetamol acetaminophen metformin warfarin lithium prednisone "
    "levothyroxine ritalin concerta ventolin antidepressants antihistamines statins xanax "
    "antibiotics melatonin insuline aspirine ibuprofène paracétamol metformine warfarine "
    "lévothyrox antidépresseurs antihistaminiques statines doliprane ventoline mélatonine "
    "cortisone antibiotiques"
)

INSTRUMENTS: Final = words(
    "piano guitar bass violin viola cello drums flute clarinet saxophone trumpet trombone harp "
    "accordion ukulele banjo oboe bassoon harmonica mandolin organ keyboard keyboards fiddle "
    "recorder tuba synth bagpipes lute sitar "
    "guitare basse violon alto violoncelle batterie flûte clarinette saxophone saxo trompette "
    "harpe accordéon hautbois basson mandoline orgue clavier contrebasse cornemuse"
)

SPORTS: Final = words(
    "tennis football soccer basketball volleyball handball rugby hockey cricket baseball golf "
    "badminton squash padel table-tennis yoga pilates judo karate boxing fencing climbing "
    "bouldering swimming rowing sailing surfing skiing snowboarding running cycling triathlon "
    "gymnastics crossfit taekwondo aikido kickboxing archery weightlifting softball lacrosse "
    "foot basket volley hand natation aviron voile surf ski course vélo escalade boxe escrime "
    "danse gymnastique équitation randonnée musculation plongée athlétisme ping-pong pétanque "
    "karaté rugby"
)

FIELDS: Final = words(
    "law medicine physics chemistry biology mathematics maths math history philosophy economics "
    "psychology sociology linguistics literature engineering architecture nursing theology "
    "politics geography geology music art archaeology anthropology accounting business finance "
    "marketing journalism education statistics astronomy dentistry pharmacy design "
    "droit médecine physique chimie biologie mathématiques histoire philosophie économie "
    "psychologie sociologie linguistique littérature lettres ingénierie théologie géographie "
    "géologie musique archéologie anthropologie comptabilité gestion journalisme informatique "
    "statistiques astronomie pharmacie commerce"
)

MAKES: Final = words(
    "tesla peugeot renault citroën citroen skoda škoda toyota honda ford volkswagen vw audi bmw "
    "mercedes volvo fiat seat opel kia hyundai nissan mazda suzuki yamaha kawasaki ducati vespa "
    "macbook thinkpad iphone ipad pixel fairphone galaxy kindle playstation xbox switch steam "
    "framework brompton canyon trek specialized canon nikon leica fujifilm synology raspberry "
    "dacia subaru jeep porsche mini dyson roomba garmin"
)

BUSINESSES: Final = words(
    "bakery café cafe restaurant bar pub shop bookshop bookstore studio farm vineyard "
    "gallery hotel "
    "hostel brewery agency company business startup consultancy salon garage clinic practice "
    "school nursery workshop boutique"
)

BELONGINGS: Final = words(
    "voiture moto vélo scooter maison appartement chien chat téléphone télé télévision "
    "ordinateur bateau piano guitare caravane camping-car imprimante montre"
)

CONSUMABLES: Final = words(
    "coffee tea beer wine sandwich pizza burger cake snack drink pint bottle ticket present gift "
    "card bag round meal pack loaf newspaper lottery croissant juice salad few couple lot bit "
    "café thé bière sandwich gâteau verre bouteille billet cadeau carte sac paquet croissant "
    "journal peu baguette"
)
"""What is bought and soon gone."""

VEHICLES: Final = words(
    "voiture moto vélo scooter camionnette camion tramway van berline utilitaire"
)

CITIES: Final = words(
    "paris lyon marseille toulouse nice nantes montpellier strasbourg bordeaux lille rennes reims "
    "toulon saint-étienne grenoble dijon angers nîmes brest tours limoges amiens metz besançon "
    "orléans rouen mulhouse caen nancy pau bayonne annecy quimper vannes lorient poitiers "
    "bruxelles genève lausanne montréal québec londres berlin madrid lisbonne barcelone rome milan "
    "london manchester birmingham leeds glasgow edinburgh bristol liverpool dublin cardiff belfast "
    "amsterdam rotterdam brussels geneva zurich vienna prague warsaw lisbon porto athens helsinki "
    "oslo stockholm copenhagen munich hamburg cologne frankfurt boston chicago seattle austin "
    "toronto montreal vancouver sydney melbourne tokyo seoul singapore dubai nairobi lagos mumbai"
)
"""What a firm is rarely called: one may leave the one for the other."""

INDUSTRIES: Final = words(
    "finance banking insurance healthcare education advertising marketing tech it logistics retail "
    "construction hospitality publishing journalism academia biotech fintech aerospace agriculture "
    "consulting manufacturing pharma telecoms cybersecurity hr accounting fashion media tourism "
    "assurance banque santé éducation publicité logistique édition informatique bâtiment "
    "restauration agriculture tourisme aéronautique recherche distribution immobilier mode"
)

TEAMS: Final = words(
    "arsenal chelsea liverpool everton tottenham spurs celtic rangers leeds villa palace fulham "
    "brentford brighton burnley wolves hibs hearts aberdeen united city rovers wanderers athletic "
    "albion hotspur barcelona barça juventus inter milan napoli roma lazio ajax feyenoord benfica "
    "sporting porto bayern dortmund schalke real atlético psg om ol losc asse stade olympique fc "
    "afc as toulouse lens nantes rennais rennes yankees mets lakers celtics bulls knicks warriors "
    "packers patriots cowboys steelers bears giants dodgers cubs leafs canadiens oilers all-blacks"
)
"""Words by which a sports team is known."""

ASSOCIATIONS: Final = words(
    "club choir gym church band group association union society orchestra league troupe chorale "
    "congregation cooperative co-op charity association syndicat orchestre église fanfare "
    "coopérative ligue"
)
