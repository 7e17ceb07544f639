// All pages of the dashboard, in the order of the navigation.
import { auditPage } from './audit.tsx'
import { decisionPage } from './decision.tsx'
import { decisionsPage } from './decisions.tsx'
import type { DashboardPage } from './definition/page.ts'
import { deliveriesPage } from './deliveries.tsx'
import { deliveryPage } from './delivery.tsx'
import { insightsFilePage, insightsPage, pastMergesFilePage } from './insights.tsx'
import { mergeQueuePage } from './merge-queue.tsx'
import { mergeQueuesPage } from './merge-queues.tsx'
import { issuePage, mergeRequestPage } from './merge-request.tsx'
import { overviewPage } from './overview.tsx'
import { projectPage } from './project.tsx'
import { projectRulesPage } from './project-rules.tsx'
import { queueJobsPage, queuePage } from './queue.tsx'
import { ruleEditorPage } from './rule-editor.tsx'
import { rulesPage } from './rules.tsx'

export const pages: readonly DashboardPage[] = [
  overviewPage,
  deliveriesPage,
  deliveryPage,
  decisionsPage,
  decisionPage,
  mergeRequestPage,
  issuePage,
  projectPage,
  queuePage,
  queueJobsPage,
  mergeQueuesPage,
  mergeQueuePage,
  rulesPage,
  // Before the path that takes any project.
  ruleEditorPage,
  projectRulesPage,
  insightsPage,
  insightsFilePage,
  pastMergesFilePage,
  auditPage,
]
