// Branches, commits, files and commit statuses, in GitLab's shapes.
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
import { comparison, job, pipeline } from '../schemas/merge-request.ts'
import { branch, commit, commitStatus, repositoryFile, tag } from '../schemas/repository.ts'
import { id, longText, pageQuery, refName } from '../schemas/scalars.ts'

const filePath = { file_path: z.string().min(1).max(4096) }

const commitAction = z.object({
  action: z.enum(['create', 'update', 'delete']),
  file_path: z.string().min(1).max(4096),
  content: z.string().optional(),
  encoding: z.enum(['text', 'base64']).default('text'),
})

export const repository = {
  mergeBase: endpoint('GET', '/projects/:id/repository/merge_base', {
    doc: 'The newest commit that two refs have in common; not on the page (GitLab docs: api/repositories.md).',
    query: { refs: z.array(refName).length(2) },
    responses: { 200: commit },
    anonymous: true,
  }),
  compare: endpoint('GET', '/projects/:id/repository/compare', {
    doc: 'What `to` has that `from` has not; not on the page (GitLab docs: api/repositories.md).',
    query: { from: refName, to: refName },
    responses: { 200: comparison },
    anonymous: true,
  }),
  branches: {
    list: endpoint('GET', '/projects/:id/repository/branches', {
      doc: 'List branches.',
      query: { search: z.string().optional(), ...pageQuery },
      ...pageOf(branch),
      anonymous: true,
    }),
    get: endpoint('GET', '/projects/:id/repository/branches/:branch', {
      doc: 'One branch.',
      responses: { 200: branch },
      anonymous: true,
    }),
    create: endpoint('POST', '/projects/:id/repository/branches', {
      doc: 'Create a branch from a ref.',
      body: { branch: refName, ref: refName },
      responses: { 201: branch },
    }),
    delete: endpoint('DELETE', '/projects/:id/repository/branches/:branch', {
      doc: 'Delete a branch.',
      responses: { 204: z.null() },
    }),
  },
  tags: {
    list: endpoint('GET', '/projects/:id/repository/tags', {
      doc: 'List tags, newest first.',
      query: { search: z.string().optional(), ...pageQuery },
      ...pageOf(tag),
      anonymous: true,
    }),
    get: endpoint('GET', '/projects/:id/repository/tags/:tag_name', {
      doc: 'One tag.',
      responses: { 200: tag },
      anonymous: true,
    }),
    create: endpoint('POST', '/projects/:id/repository/tags', {
      doc: 'Create a tag; annotated when there is a message.',
      body: { tag_name: refName, ref: refName, message: longText.optional() },
      responses: { 201: tag },
    }),
    delete: endpoint('DELETE', '/projects/:id/repository/tags/:tag_name', {
      doc: 'Delete a tag.',
      responses: { 204: z.null() },
    }),
  },
  commits: {
    list: endpoint('GET', '/projects/:id/repository/commits', {
      doc: 'Commits of a branch, tag, commit or range of two (`refs/heads/main..feature`), newest first.',
      query: {
        ref_name: z.string().min(1).max(600).optional(),
        path: z.string().max(4096).optional(),
        ...pageQuery,
      },
      ...pageOf(commit),
      anonymous: true,
    }),
    get: endpoint('GET', '/projects/:id/repository/commits/:sha', {
      doc: 'One commit, with its parents.',
      responses: { 200: commit },
      anonymous: true,
    }),
    create: endpoint('POST', '/projects/:id/repository/commits', {
      doc: 'Commit created, updated and deleted files to a branch.',
      body: {
        branch: refName,
        commit_message: z.string().min(1),
        start_branch: refName.optional(),
        actions: z.array(commitAction).min(1),
        author_name: z.string().max(255).optional(),
        author_email: z.string().max(255).optional(),
      },
      responses: { 201: commit },
    }),
    cherryPick: endpoint('POST', '/projects/:id/repository/commits/:sha/cherry_pick', {
      doc: 'Apply a commit to a branch, a merge commit as it changed its first parent; not on the page (GitLab docs: api/commits.md). The message names the commit.',
      body: { branch: refName, message: longText.optional() },
      responses: { 201: commit },
      errors: { 400: 'it conflicts, or changes nothing there' },
      means: { 400: 'not_now' },
    }),
  },
  files: {
    get: endpoint('GET', '/projects/:id/repository/files/:file_path', {
      doc: 'A file with its blob id; `ref` is always sent.',
      pathParams: filePath,
      query: { ref: refName },
      responses: { 200: repositoryFile },
      anonymous: true,
    }),
    raw: endpoint('GET', '/projects/:id/repository/files/:file_path/raw', {
      doc: 'A file as it is.',
      pathParams: filePath,
      query: { ref: refName.optional() },
      responses: { 200: z.string() },
      format: 'text',
      anonymous: true,
    }),
  },
  statuses: {
    list: endpoint('GET', '/projects/:id/repository/commits/:sha/statuses', {
      doc: 'The latest status of each name of a commit; with `all`, those before them too.',
      query: { ref: refName.optional(), name: z.string().optional(), all: z.boolean().default(false), ...pageQuery },
      ...pageOf(commitStatus),
      anonymous: true,
    }),
    create: endpoint('POST', '/projects/:id/statuses/:sha', {
      doc: 'Post a commit status; makes or moves the pipeline of that commit.',
      body: {
        state: z.enum(['pending', 'running', 'success', 'failed', 'canceled', 'skipped']),
        ref: refName.optional(),
        name: z.string().max(255).optional(),
        target_url: z.string().optional(),
        description: z.string().optional(),
        pipeline_id: id.optional(),
      },
      responses: { 201: commitStatus },
      errors: { 400: 'the status has that state already, and cannot get it again' },
      raises: () => ['pending', 'running', 'success', 'failed'].map((status) => `pipeline.${status}`),
    }),
  },
  pipelines: {
    list: endpoint('GET', '/projects/:id/pipelines', {
      doc: 'Pipelines of a project, newest first.',
      query: { ref: refName.optional(), sha: z.string().optional(), status: z.string().optional(), ...pageQuery },
      ...pageOf(pipeline),
      anonymous: true,
    }),
    get: endpoint('GET', '/projects/:id/pipelines/:pipeline_id', {
      doc: 'One pipeline.',
      responses: { 200: pipeline },
      anonymous: true,
    }),
    jobs: endpoint('GET', '/projects/:id/pipelines/:pipeline_id/jobs', {
      doc: 'The jobs of a pipeline; not on the page.',
      query: { scope: z.array(z.string()).optional(), ...pageQuery },
      ...pageOf(job),
      anonymous: true,
    }),
    create: endpoint('POST', '/projects/:id/pipeline', {
      doc: 'Run a pipeline on a branch; not on the page.',
      body: { ref: refName },
      responses: { 201: pipeline },
    }),
    retry: endpoint('POST', '/projects/:id/pipelines/:pipeline_id/retry', {
      doc: 'Run what failed or was canceled again; not on the page.',
      responses: { 201: pipeline },
    }),
    cancel: endpoint('POST', '/projects/:id/pipelines/:pipeline_id/cancel', {
      doc: 'Cancel what has not ended; not on the page.',
      responses: { 200: pipeline },
    }),
  },
}
