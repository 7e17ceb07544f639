// Every page of the dashboard, in the order of the navigation.
import { deliveriesPage } from './deliveries.tsx'
import type { Page } from './page.ts'

export const pages: readonly Page[] = [deliveriesPage]
