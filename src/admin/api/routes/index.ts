// All operations of the admin API.
import type { AdminRoute } from '../route.ts'
import { decisionRoutes } from './decisions.ts'
import { deliveryRoutes } from './deliveries.ts'
import { explainRoutes } from './explain.ts'
import { insightsRoutes } from './insights.ts'
import { memoryRoutes, pastRoutes } from './memory.ts'
import { mergeQueueRoutes } from './merge-queues.ts'
import { overviewRoutes } from './overview.ts'
import { pastRulesRoutes } from './past-rules.ts'
import { projectRoutes } from './projects.ts'
import { queueRoutes } from './queue.ts'
import { replayRoutes, sweepRoutes } from './replays.ts'
import { ruleTrialRoutes } from './rule-trials.ts'
import { ruleRoutes } from './rules.ts'

export const adminRoutes: readonly AdminRoute[] = [
  ...deliveryRoutes,
  ...decisionRoutes,
  ...memoryRoutes,
  ...explainRoutes,
  ...pastRoutes,
  ...replayRoutes,
  ...sweepRoutes,
  ...queueRoutes,
  ...mergeQueueRoutes,
  ...overviewRoutes,
  ...ruleRoutes,
  ...ruleTrialRoutes,
  ...projectRoutes,
  ...insightsRoutes,
  ...pastRulesRoutes,
]

export function routeNamed(name: string): AdminRoute {
  const found = adminRoutes.find((each) => each.name === name)
  if (found === undefined) throw new Error(`the admin API has no ${name}`)
  return found
}
