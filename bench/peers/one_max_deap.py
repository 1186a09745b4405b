"""OneMax in DEAP, as its own examples write it: prints evaluations, CPU seconds and the best.

Usage: one_max_deap.py LENGTH EVALUATIONS SEED
"""

import random
import sys
import time

from deap import algorithms, base, creator, tools

length, budget, seed = (int(word) for word in sys.argv[1:4])
random.seed(seed)
creator.create("FitnessMax", base.Fitness, weights=(1.0,))
creator.create("Individual", list, fitness=creator.FitnessMax)
toolbox = base.Toolbox()
toolbox.register("bit", random.getrandbits, 1)
toolbox.register("individual", tools.initRepeat, creator.Individual, toolbox.bit, length)
toolbox.register("population", tools.initRepeat, list, toolbox.individual)
toolbox.register("evaluate", lambda individual: (sum(individual),))
toolbox.register("mate", tools.cxTwoPoint)
toolbox.register("mutate", tools.mutFlipBit, indpb=1.0 / length)
toolbox.register("select", tools.selTournament, tournsize=2)
population = toolbox.population(n=1000)
start = time.process_time()
done = 0
best = 0
while done < budget:
    for individual in population:
        if not individual.fitness.valid:
            individual.fitness.values = toolbox.evaluate(individual)
            done += 1
    best = max(best, max(individual.fitness.values[0] for individual in population))
    population = algorithms.varAnd(toolbox.select(population, len(population)), toolbox, cxpb=0.9, mutpb=1.0)
print(done, time.process_time() - start, best)
