// Housekeeping of a repository (api-v4.md §4.3 housekeeping).
import { refuse } from '../refusal.ts'
import { repositoryFolder, type World } from '../world.ts'

/** `git gc`: packs what is loose. What nothing refers to goes only after git's own two weeks, so that a push under way keeps what it sent. */
export async function collectGarbage(world: World, projectId: number): Promise<void> {
  const result = await world.git.run(repositoryFolder(world, projectId), ['gc', '--quiet'])
  if (result.code === 0) return
  if (result.stderr.includes('gc is already running')) throw refuse(409, 'Housekeeping is already under way for this project')
  throw new Error(`git gc failed (${result.code}): ${result.stderr.trim()}`)
}
