// Reads, creates, changes and deletes single files, and lists folders.
import type { Api } from '../../../api/index.ts'
import { developer, projectToChange, readableProject } from '../../access/access.ts'
import { lastCommitOf, readFile, readTree } from '../../git/read-commits.ts'
import { isFilePath, resolveCommit } from '../../git/refs.ts'
import { orNotFound } from '../../http/error-response.ts'
import { type Handlers, on, pageOf } from '../../http/handler.ts'
import type { Project } from '../../records/records.ts'
import type { World } from '../../storage/world.ts'
import { commitActions } from './commits.ts'
import { findCommit } from './find.ts'

export const files: Handlers<Api['repository']['files']> = {
  get: on(readableProject, async ({ project, params, world }) => {
    const { commit, file } = await findFile(world, project, params.file_path, params.ref)
    return {
      file_name: params.file_path.split('/').at(-1) ?? '',
      file_path: params.file_path,
      size: file.content.length,
      encoding: 'base64',
      content: file.content.toString('base64'),
      ref: params.ref,
      blob_id: file.blob_id,
      commit_id: commit,
      last_commit_id: await lastCommitOf(world, project.id, commit, params.file_path),
    }
  }),

  raw: on(
    readableProject,
    async ({ project, params, world }) =>
      (await findFile(world, project, params.file_path, params.ref ?? project.default_branch)).file.content,
  ),

  create: on(projectToChange(developer), (call) => write(call, 'create')),
  update: on(projectToChange(developer), (call) => write(call, 'update')),

  delete: on(projectToChange(developer), async (call) => {
    await commitActions(call, [{ action: 'delete', file_path: call.params.file_path, encoding: 'text' }])
    return null
  }),
}

type FileCall = Parameters<typeof commitActions>[0] & {
  params: { file_path: string; content: string; encoding: 'text' | 'base64' }
}

async function write(call: FileCall, action: 'create' | 'update') {
  const { file_path, branch, content, encoding } = call.params
  await commitActions(call, [{ action, file_path, content, encoding }])
  return { file_path, branch }
}

async function findFile(world: World, project: Project, path: string, ref: string) {
  const commit = await findCommit(world, project, ref)
  const file = orNotFound(isFilePath(path) ? await readFile(world, project.id, commit, path) : undefined, 'File')
  return { commit, file }
}

/** Folders come first, as in GitLab. */
export const tree: Handlers<Api['repository']>['tree'] = on(readableProject, async ({ project, params, world }) => {
  const commit = await resolveCommit(world, project.id, params.ref ?? project.default_branch)
  const path = params.path.replace(/\/+$/, '')
  const isFolder = commit !== undefined && (path === '' || isFilePath(path))
  const found = isFolder ? await readTree(world, project.id, { commit, path, recursive: params.recursive }) : undefined
  const folders = orNotFound(found, 'Tree').filter(({ type }) => type === 'tree')
  const others = orNotFound(found, 'Tree').filter(({ type }) => type !== 'tree')
  return pageOf([...folders, ...others], params, (entry) => entry)
})
