// Every page of the dashboard, in the order of the navigation.
import { deliveriesPage } from './deliveries.tsx'
import { hooksPage } from './hooks.tsx'
import { overviewPage } from './overview.tsx'
import type { Page } from './page.ts'
import { projectRulesPage } from './project-rules.tsx'
import { rulesPage } from './rules.tsx'

export const pages: readonly Page[] = [overviewPage, deliveriesPage, rulesPage, projectRulesPage, hooksPage]
