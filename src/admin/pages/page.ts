// One page of the dashboard as data: where it is, what it shows, and which forms it offers. It shows what the admin API answers.
import type { ComponentChildren } from 'preact'
import type { Json } from '../../rules/types.ts'
import type { Reply } from '../route.ts'

export interface View {
  title: string
  body: ComponentChildren
  /** 200 without it. */
  status?: number
}

export interface Visit {
  params: Record<string, string>
  /** Without the fields that were left empty. */
  query: Record<string, string>
  /** ISO 8601. */
  now: string
  /** What a route of the admin API, by its name, answers to this person. Throws PageRefusal. */
  ask<T>(route: string, given?: { params?: Record<string, string>; input?: Record<string, Json> }): Promise<T>
}

/** After a form: go to a page, which says that it was done (`done.ts`), or show something at once. */
export type After = { goTo: string; count?: number } | View

export interface Sent {
  params: Record<string, string>
  /** The form's fields. */
  input: Record<string, string>
  reply: Reply
  ask: Visit['ask']
}

export interface Page {
  /** Below /admin, such as `/deliveries/{id}`. */
  path: string
  /** The word by which the navigation leads to it. */
  nav?: string
  show(visit: Visit): Promise<View>
  /** Of a list: the route of the admin API that is asked whether there is something newer. */
  live?: string
  /** Which POSTs of the admin API, by name, are offered as forms, and what follows when they were done. */
  forms?: Record<string, (sent: Sent) => After | Promise<After>>
}

/** What cannot be shown, and why. */
export class PageRefusal extends Error {
  override name = 'PageRefusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** What is answered; undefined where there is no such thing. */
export async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof PageRefusal && error.status === 404) return undefined
    throw error
  }
}

/** The fields of a query or of a form that are one text each; those that were left empty are as if they were not there. */
export function texts(fields: unknown): Record<string, string> {
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string' && value.trim() !== ''))
}
