// Files of a commit.
import type { Api } from '../../../api/index.ts'
import { findReadableProject } from '../../access/access.ts'
import { isFilePath } from '../../git/names.ts'
import { lastCommitOf, readFile } from '../../git/read-commits.ts'
import { notFound } from '../../http/error-response.ts'
import type { Handlers } from '../../http/handler.ts'
import type { Project } from '../../records/records.ts'
import type { World } from '../../storage/world.ts'
import { findCommit } from './find.ts'

export const files: Handlers<Api['repository']['files']> = {
  async get({ params, caller, world }) {
    const project = findReadableProject(world, caller, params.id)
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
  },

  async raw({ params, caller, world }) {
    const project = findReadableProject(world, caller, params.id)
    return (await findFile(world, project, params.file_path, params.ref ?? project.default_branch)).file.content
  },
}

async function findFile(world: World, project: Project, path: string, ref: string) {
  const commit = await findCommit(world, project, ref)
  const file = isFilePath(path) ? await readFile(world, project.id, commit, path) : undefined
  if (file === undefined) throw notFound('File')
  return { commit, file }
}
