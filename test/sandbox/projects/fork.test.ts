// Fork tasks whose projects change before they run.

import { rm } from 'node:fs/promises'
import { enterProject } from '../../../src/sandbox/projects/enter.ts'
import { forkProject } from '../../../src/sandbox/projects/fork.ts'
import { removeProject } from '../../../src/sandbox/projects/remove.ts'
import { projectById, repositoryFolder, type World } from '../../../src/sandbox/storage/world.ts'
import { openBareWorld } from '../git/bare-world.ts'
import { person } from '../groups/family.ts'

/** A world that keeps background work until it is asked for, with a project of one user that another one forks. */
async function forked() {
  const { world: bare, commit } = await openBareWorld()
  const tasks: ((world: World) => Promise<void>)[] = []
  const world: World = { ...bare, background: (_key, task) => void tasks.push(task) }
  const [ann, ben] = [person(world, 'ann'), person(world, 'ben')]
  const source = await enterProject(world, {
    name: 'app',
    path: 'app',
    namespace_id: ann.namespace_id,
    creator_id: ann.id,
  })
  await commit(source.id, 'refs/heads/master', null)
  const fork = await forkProject(world, source, { creator: ben, namespace_id: ben.namespace_id })
  const runTasks = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task(world)
  }
  return { world, ann, ben, source, fork, runTasks }
}

test('a fork fails with a message when its source was removed before its task ran', async () => {
  const { world, ann, source, fork, runTasks } = await forked()
  await removeProject(world, source, ann)
  await rm(repositoryFolder(world, source.id), { recursive: true })
  await runTasks()
  expect(projectById(world, fork.id)).toMatchObject({
    import_status: 'failed',
    import_error: 'The forked project was removed meanwhile',
    forked_from_id: null,
  })
})

test('a fork that was removed before its task ran stays removed', async () => {
  const { world, ben, fork, runTasks } = await forked()
  await removeProject(world, fork, ben)
  await runTasks()
  expect(world.projects.get(fork.id)).toBeUndefined()
})

test('a fork fails and reports the error when the source cannot be read', async () => {
  const { world, source, fork, runTasks } = await forked()
  await rm(repositoryFolder(world, source.id), { recursive: true })
  await expect(runTasks()).rejects.toThrow(/git/)
  expect(projectById(world, fork.id).import_status).toBe('failed')
})
