// What the dashboard is given to work with.
import type { Logger } from 'pino'
import type { Door } from '../authenticate.ts'
import type { Desks } from '../desks.ts'
import type { LiveOptions } from './live.ts'
import type { Sessions } from './session.ts'

export interface AdminPagesOptions {
  door: Door
  sessions: Sessions
  desks: Desks
  now: () => number
  log: Logger
  /** By which browsers reach the bot; empty where that is not known. */
  publicUrl: string
  live: LiveOptions
}
