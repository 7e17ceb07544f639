// Every setting of `bellhop serve`, as --help shows it and as it is read.
import { address } from './settings/address.ts'
import { admin } from './settings/admin.ts'
import { hooks } from './settings/hooks.ts'
import { queue } from './settings/queue.ts'
import { room } from './settings/room.ts'
import { rules } from './settings/rules.ts'
import { service } from './settings/service.ts'
import type { Setting } from './settings/setting.ts'
import { work } from './settings/work.ts'

/** By what they are about, in the order of docs/configuration.md. */
export const subjects: { title: string; settings: Readonly<Record<string, Setting<unknown>>> }[] = [
  { title: 'The hosting service', settings: service },
  { title: 'The secrets of hooks', settings: hooks },
  { title: 'Where it listens', settings: address },
  { title: 'Queue and journal', settings: queue },
  { title: 'Rules', settings: rules },
  { title: 'When deliveries are turned down', settings: room },
  { title: 'The admin API', settings: admin },
  { title: 'How it works', settings: work },
]

export const settings = { ...service, ...hooks, ...address, ...queue, ...rules, ...room, ...admin, ...work } as const

type Settings = typeof settings
export type Config = { [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }
