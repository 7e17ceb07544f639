// What needs an operator: failed jobs, an expiring token, and projects with broken or limited rules or a bad hook.
import * as z from 'zod'
import type { AdminContext } from '../admin-context.ts'
import type { QueueDepth } from '../queue-depth.ts'
import { count } from './response-schemas.ts'

export const attentionKinds = ['rules_broken', 'jobs_failed', 'hook', 'rules_limited', 'token_expires'] as const

export const attentionItem = z.object({
  kind: z.enum(attentionKinds),
  project: z.int().optional(),
  path: z.string().optional(),
  queue: z.string().optional(),
  count: count.optional().describe('Of failed jobs; the days that are left to a token.'),
  details: z.array(z.string()),
})
export type AttentionItem = z.output<typeof attentionItem>

/** A token has to be replaced within so many days. */
const daysBefore = 30
const concurrency = 4
// The hook could not be read, which is no fault of the hook.
const hookUnknown = 'failed'

/** In the order of `attentionKinds`. Hooks and the token are asked only while the service is available. */
export async function attentionFor(
  context: AdminContext,
  depth: readonly QueueDepth[] | undefined,
  projects: readonly number[],
): Promise<AttentionItem[]> {
  const isAvailable = context.status().service.is === 'fine'
  const items: AttentionItem[] = failedQueues(depth)
  for (let from = 0; from < projects.length; from += concurrency) {
    const some = projects.slice(from, from + concurrency).map((each) => attentionIn(context, each, isAvailable))
    items.push(...(await Promise.all(some)).flat())
  }
  const expiry = isAvailable ? await context.tokenExpiry() : undefined
  if (expiry !== undefined && expiry.daysLeft <= daysBefore)
    items.push({ kind: 'token_expires', count: Math.ceil(expiry.daysLeft), details: [expiry.date] })
  return attentionKinds.flatMap((kind) => items.filter((each) => each.kind === kind))
}

function failedQueues(depth: readonly QueueDepth[] = []): AttentionItem[] {
  return depth.flatMap(({ queue, state, count: failed }) =>
    state === 'failed' && failed > 0 ? [{ kind: 'jobs_failed' as const, queue, count: failed, details: [] }] : [],
  )
}

async function attentionIn(
  { rulesInProject, newRuleLimit, hookHealth }: AdminContext,
  project: number,
  isAvailable: boolean,
): Promise<AttentionItem[]> {
  const rules = await rulesInProject(project)
  const path = rules?.projectPath
  const limited = await newRuleLimit(project)
  const hook = isAvailable && path !== undefined ? await hookHealth?.({ id: project, path }) : undefined
  const of = { project, path }
  const items: AttentionItem[] = []
  if (rules !== undefined && rules.problems.length > 0)
    items.push({ kind: 'rules_broken', ...of, details: rules.problems })
  if (hook?.bad === true && hook.result !== hookUnknown)
    items.push({ kind: 'hook', ...of, details: [hook.result, ...hook.details] })
  const full = Object.entries(limited?.full ?? {})
  if (full.length > 0)
    items.push({ kind: 'rules_limited', ...of, details: full.map(([action, until]) => `${action} until ${until}`) })
  return items
}
