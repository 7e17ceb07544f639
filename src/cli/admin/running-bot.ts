// Asks a running bot for its memory, for commands that evaluate without one.
import { type Command, Option } from 'commander'
import type { MemoryResponse, PastResponse } from '../../admin/api/routes/memory.ts'
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
  sourceProject?: number
  sourceBranch?: string
}

export type AskMemory = (of: MemorySubject) => Promise<MemoryResponse>

type AskPast = (of: Pick<MemorySubject, 'project' | 'iid' | 'subject'>) => Promise<OpenState | undefined>

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
  const call = createAdminClient({ url: bellhop, token: bellhopToken })
  return ({ sourceProject, sourceBranch, ...of }) =>
    call<MemoryResponse>(of.subject === 'issue' ? 'show_issue_memory' : 'show_memory', {
      ...of,
      source_project: sourceProject,
      source_branch: sourceBranch,
    })
}

/** Undefined without a bot. Throws UserError. */
export function pastOf({ bellhop, bellhopToken }: RunningBotFlags): AskPast | undefined {
  if (bellhop === undefined) return undefined
  const call = createAdminClient({ url: bellhop, token: bellhopToken })
  return async (of) =>
    (await call<PastResponse>(of.subject === 'issue' ? 'show_issue_past' : 'show_past', of)).lastOpen ?? undefined
}
