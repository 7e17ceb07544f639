// All pages of the dashboard, in the order of the navigation.
import { decisionPage, decisionsPage } from './decision.tsx'
import type { DashboardPage } from './definition/page.ts'
import { deliveriesPage, deliveryPage } from './delivery.tsx'
import { insightsFilePage, insightsPage, pastMergesFilePage } from './insights.tsx'
import { mergeQueuePage } from './merge-queue.tsx'
import { mergeRequestPage } from './merge-request.tsx'
import { overviewPage } from './overview.tsx'
import { projectPage, projectsPage } from './project.tsx'
import { queuePage } from './queue.tsx'
import { ruleEditorPage } from './rule-editor.tsx'

export const pages: readonly DashboardPage[] = [
  overviewPage,
  projectsPage,
  projectPage,
  mergeRequestPage,
  mergeQueuePage,
  ruleEditorPage,
  decisionsPage,
  decisionPage,
  deliveriesPage,
  deliveryPage,
  insightsPage,
  insightsFilePage,
  pastMergesFilePage,
  queuePage,
]
