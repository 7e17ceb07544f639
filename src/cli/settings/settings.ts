// All settings of `bellhop serve`.
import { address } from './address.ts'
import { admin } from './admin.ts'
import { capacity } from './capacity.ts'
import { hooks } from './hooks.ts'
import { queue } from './queue.ts'
import { rules } from './rules.ts'
import { service } from './service.ts'
import type { Setting } from './setting.ts'
import { work } from './work.ts'

/** In the order of docs/configuration.md. */
export const subjects: { title: string; settings: Readonly<Record<string, Setting<unknown>>> }[] = [
  { title: 'The hosting service', settings: service },
  { title: 'Web hook secrets', settings: hooks },
  { title: 'Addresses', settings: address },
  { title: 'Queue and journal', settings: queue },
  { title: 'Rules', settings: rules },
  { title: 'Capacity', settings: capacity },
  { title: 'Admin API and notifications', settings: admin },
  { title: 'Work and log', settings: work },
]

export const settings = {
  ...service,
  ...hooks,
  ...address,
  ...queue,
  ...rules,
  ...capacity,
  ...admin,
  ...work,
} as const

type Settings = typeof settings
export type Config = { [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }
