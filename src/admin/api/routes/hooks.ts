// The hook of a project as the hosting service reported it in the last five minutes.
import { refName } from '../../../rules/facts/definition/subject-ref.ts'
import type { AdminContext } from '../../admin-context.ts'
import type { HookHealth } from '../response-schemas.ts'

/** The hook of a project; null without Bellhop's own address. */
export async function hookStatus(
  { journal, hookHealth }: AdminContext,
  project: number,
): Promise<{ hook: HookHealth | null }> {
  if (hookHealth === undefined) return { hook: null }
  const [name] = await journal.mergeRequests.names([{ project }])
  return { hook: await hookHealth({ id: project, path: refName({ project, ...name }) }) }
}
