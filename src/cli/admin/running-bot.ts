// Asks a running bot for its memory, for commands that evaluate without one.
import { type Command, Option } from 'commander'
import type { MemoryResponse } from '../../admin/api/routes/memory.ts'
import type { PastResponse } from '../../admin/api/routes/past.ts'
import type { OpenState } from '../../journal/last-open-state.ts'
import type { ShownRef } from '../../rules/facts/definition/subject-ref.ts'
import { createAdminClient } from './admin-client.ts'

export interface RunningBotFlags {
  bellhop?: string
  bellhopToken: string
}

/** iid 0 is the project itself; the branch is the one whose pushes count. */
export interface MemorySubject extends ShownRef {
  project: number
  sourceProject?: number | undefined
  sourceBranch?: string | undefined
}

export type AskMemory = (of: MemorySubject) => Promise<MemoryResponse>

export type AskPast = (of: Pick<MemorySubject, 'project' | 'iid' | 'subject'>) => Promise<OpenState | undefined>

export function withRunningBot(command: Command): Command {
  return command
    .option('--bellhop <url>', 'address of a running bot to ask for its memory')
    .addOption(
      new Option('--bellhop-token <token>', 'its admin token; prefer the environment')
        .env('BELLHOP_ADMIN_TOKEN')
        .default('', 'none'),
    )
}

/** Undefined without a bot. Throws UserError. */
export function memoryOf({ bellhop, bellhopToken }: RunningBotFlags): AskMemory | undefined {
  if (bellhop === undefined) return undefined
  const admin = createAdminClient({ url: bellhop, token: bellhopToken })
  return async ({ sourceProject, sourceBranch, ...of }) => {
    const query = new URLSearchParams()
    if (sourceProject !== undefined) query.set('source_project', String(sourceProject))
    if (sourceBranch !== undefined) query.set('source_branch', sourceBranch)
    return (await admin.get(`${pathOf(of)}/memory?${query}`)) as MemoryResponse
  }
}

/** Undefined without a bot. Throws UserError. */
export function pastOf({ bellhop, bellhopToken }: RunningBotFlags): AskPast | undefined {
  if (bellhop === undefined) return undefined
  const admin = createAdminClient({ url: bellhop, token: bellhopToken })
  return async (of) => {
    const { lastOpen } = (await admin.get(`${pathOf(of)}/past`)) as PastResponse
    return lastOpen ?? undefined
  }
}

const pathOf = ({ project, iid, subject }: MemorySubject) =>
  `/${subject === 'issue' ? 'issues' : 'merge-requests'}/${project}/${iid}`
