// Every route of the admin API.
import type { AdminRoute } from '../route.ts'
import { auditRoutes } from './audit.ts'
import { decisionRoutes } from './decisions.ts'
import { deliveryRoutes } from './deliveries.ts'
import { memoryRoutes } from './memory.ts'
import { pastRoutes } from './past.ts'
import { queueRoutes } from './queue.ts'
import { replayRoutes } from './replays.ts'
import { sweepRoutes } from './sweeps.ts'

export const adminRoutes: readonly AdminRoute[] = [
  ...deliveryRoutes,
  ...decisionRoutes,
  ...memoryRoutes,
  ...pastRoutes,
  ...replayRoutes,
  ...sweepRoutes,
  ...queueRoutes,
  ...auditRoutes,
]
