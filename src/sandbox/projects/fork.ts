// Forks: the project is there at once, its repository is filled in the background (api-v4.md §3.5).
import { cloneRepository } from '../git/fetch-local.ts'
import type { Project, User } from '../records.ts'
import { isMoreVisible } from '../visibility.ts'
import type { World } from '../world.ts'
import { adoptRefs } from './adopt-refs.ts'
import { enterProject } from './enter.ts'

/** Enters the fork; 409 when its name or path is taken there. */
export async function forkProject(
  world: World,
  source: Project,
  { creator, namespace_id }: { creator: User; namespace_id: number },
): Promise<Project> {
  const group = world.groups.get(namespace_id)
  const capped = group !== undefined && isMoreVisible(source.visibility, group.visibility)
  const fork = await enterProject(
    world,
    {
      ...inherited(source),
      visibility: capped ? group.visibility : source.visibility,
      namespace_id,
      creator_id: creator.id,
      forked_from_id: source.id,
      import_status: 'scheduled',
    },
    { takenStatus: 409 },
  )
  world.background(`project ${fork.id}`, (later) => fill(later, { from: source.id, to: fork.id }))
  return fork
}

/** Fills the fork's repository; import_status tells how far it is. */
export async function fill(world: World, { from, to }: { from: number; to: number }): Promise<void> {
  if (world.projects.get(to) === undefined) return
  world.projects.update(to, { import_status: 'started' })
  try {
    await cloneRepository(world, from, to)
    await adoptRefs(world, to)
  } catch (error) {
    const gone = world.projects.get(from) === undefined
    world.projects.update(to, { import_status: 'failed', import_error: gone ? 'The forked project was removed meanwhile' : String(error) })
    if (gone) return
    throw error
  }
  world.projects.update(to, { import_status: 'finished' })
}

/** What a fork starts with; rules about merging are each project's own. */
function inherited(source: Project) {
  const { name, path, description, default_branch, tag_list, ci_config_path, lfs_enabled } = source
  const { issues_enabled, merge_requests_enabled, wiki_enabled, jobs_enabled, snippets_enabled } = source
  const { container_registry_enabled, resolve_outdated_diff_discussions, shared_runners_enabled, public_jobs } = source
  return {
    ...{ name, path, description, default_branch, tag_list, ci_config_path, lfs_enabled },
    ...{ issues_enabled, merge_requests_enabled, wiki_enabled, jobs_enabled, snippets_enabled },
    ...{ container_registry_enabled, resolve_outdated_diff_discussions, shared_runners_enabled, public_jobs },
  }
}
