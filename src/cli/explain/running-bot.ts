// What a running bot remembers, for the commands that judge without one: asked of its admin API.
import { type Command, Option } from 'commander'
import type { MemoryAnswer } from '../../admin/routes/memory.ts'
import type { PastAnswer, SeenOpen } from '../../admin/routes/past.ts'
import { createAdminClient } from '../admin-client.ts'

export interface RunningBotFlags {
  bellhop?: string
  bellhopToken: string
  service?: string
}

/** Which merge request, and the branch whose pushes count; the iid 0 is the project itself. */
export interface Remembered {
  project: number
  iid: number
  sourceProject?: number | undefined
  sourceBranch?: string | undefined
}

export type AskMemory = (of: Remembered) => Promise<MemoryAnswer>

/** What the bot saw of one when it last judged it open. */
export type AskPast = (of: Pick<Remembered, 'project' | 'iid'>) => Promise<SeenOpen | undefined>

/** The options that say which bot is asked. */
export function withRunningBot(command: Command): Command {
  return command
    .option('--bellhop <url>', 'ask the bot that runs there what it remembers')
    .addOption(
      new Option('--bellhop-token <token>', 'its admin token; better in the environment').env('BELLHOP_ADMIN_TOKEN').default('', 'none'),
    )
}

/** Asks the bot; undefined where none is named. What fails is a UserError. */
export function memoryOf({ bellhop, bellhopToken, service }: RunningBotFlags): AskMemory | undefined {
  if (bellhop === undefined) return undefined
  const admin = createAdminClient({ url: bellhop, token: bellhopToken, service })
  return async ({ project, iid, sourceProject, sourceBranch }) => {
    const query = new URLSearchParams()
    if (sourceProject !== undefined) query.set('source_project', String(sourceProject))
    if (sourceBranch !== undefined) query.set('source_branch', sourceBranch)
    return (await admin.get(`/merge-requests/${project}/${iid}/memory?${query}`)) as MemoryAnswer
  }
}

/** Asks the bot; undefined where none is named. What fails is a UserError. */
export function pastOf({ bellhop, bellhopToken, service }: RunningBotFlags): AskPast | undefined {
  if (bellhop === undefined) return undefined
  const admin = createAdminClient({ url: bellhop, token: bellhopToken, service })
  return async ({ project, iid }) => {
    const { seen } = (await admin.get(`/merge-requests/${project}/${iid}/past`)) as PastAnswer
    return seen ?? undefined
  }
}
