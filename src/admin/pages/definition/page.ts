// One page of the dashboard as data: its path, what it shows, and the forms it offers.
// To add a page, export a DashboardPage from a file in pages/, list it in pages/index.ts, and add a route for its data.
import type { ComponentChildren } from 'preact'
import type { Reply, RunOperation } from '../../api/route.ts'
import type { TextFile } from '../../http.ts'

export interface PageView {
  title: string
  /** The title if it is absent; null if the body has one. */
  heading?: ComponentChildren
  body: ComponentChildren
  /** 200 by default. */
  status?: number
}

export interface PageContext {
  /** Below /admin, as it was asked for. */
  path: string
  params: Record<string, string>
  /** Without empty fields. */
  query: Record<string, string>
  /** ISO 8601. */
  now: string
  /** Runs an operation of the admin API for this user. Throws PageError. */
  api: RunOperation
}

/** What follows a form: a redirect to a page that confirms it (`server/send.tsx`), or a view. */
export type FormResult = { goTo: string; query?: Record<string, string>; count?: number } | PageView

export interface SubmittedForm {
  params: Record<string, string>
  input: Record<string, string>
  reply: Reply
  api: PageContext['api']
}

export interface DashboardPage {
  /** Below /admin, such as `/deliveries/{id}`; a page in the navigation has one. */
  path: string | readonly string[]
  /** Its name in the navigation. */
  nav?: string
  show(context: PageContext): Promise<PageView>
  /** Its body is a text, which browsers save in place of showing it. */
  file?: TextFile
  /** The POST operations, by name, that the page offers as forms, and what follows each. */
  forms?: Record<string, (form: SubmittedForm) => FormResult | Promise<FormResult>>
}

export class PageError extends Error {
  override name = 'PageError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Undefined for a 404. */
export async function orUndefined<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response
  } catch (error) {
    if (error instanceof PageError && error.status === 404) return undefined
    throw error
  }
}

/** The non-empty text fields of a query or a form. */
export function stringFields(fields: unknown): Record<string, string> {
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value === 'string' && value.trim() !== ''),
  )
}
