// Every page of the dashboard, in the order of the navigation.
import { auditPage } from './audit.tsx'
import { decisionPage } from './decision.tsx'
import { decisionsPage } from './decisions.tsx'
import { deliveriesPage } from './deliveries.tsx'
import { deliveryPage } from './delivery.tsx'
import { hooksPage } from './hooks.tsx'
import { lanePage } from './lane.tsx'
import { mergeRequestPage } from './merge-request.tsx'
import { overviewPage } from './overview.tsx'
import type { Page } from './page.ts'
import { projectPage } from './project.tsx'
import { projectRulesPage } from './project-rules.tsx'
import { queuePage } from './queue.tsx'
import { rulesPage } from './rules.tsx'

export const pages: readonly Page[] = [
  overviewPage,
  deliveriesPage,
  deliveryPage,
  decisionsPage,
  decisionPage,
  mergeRequestPage,
  projectPage,
  queuePage,
  lanePage,
  rulesPage,
  projectRulesPage,
  hooksPage,
  auditPage,
]
