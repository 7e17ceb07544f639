// Branches, commits, files and commit statuses, in GitLab's shapes.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { comparison, job, mergeRequest, pipeline } from '../schemas/merge-request.ts'
import { branch, changedFile, commit, commitStatus, repositoryFile, tag, treeEntry } from '../schemas/repository.ts'
import { id, longText, refName } from '../schemas/scalars.ts'

const filePath = { file_path: z.string().min(1).max(4096) }
const fileCommit = {
  branch: refName,
  commit_message: z.string().min(1),
  start_branch: refName.optional(),
  author_name: z.string().max(255).optional(),
  author_email: z.string().max(255).optional(),
}
const fileContent = { content: z.string(), encoding: z.enum(['text', 'base64']).default('text') }

const commitAction = z.object({
  action: z.enum(['create', 'update', 'delete']),
  file_path: z.string().min(1).max(4096),
  content: z.string().optional(),
  encoding: z.enum(['text', 'base64']).default('text'),
})

const archive = { query: { sha: refName.optional() }, format: 'text', anonymous: true } as const

export const repository = {
  mergeBase: endpoint('GET', '/projects/:id/repository/merge_base', commit, {
    doc: 'The newest commit that two refs have in common; not on the page (GitLab docs: api/repositories.md).',
    query: { refs: z.array(refName).min(1).max(100) },
    anonymous: true,
  }),
  compare: endpoint('GET', '/projects/:id/repository/compare', comparison, {
    doc: 'What `to` has that `from` has not; not on the page (GitLab docs: api/repositories.md).',
    query: { from: refName, to: refName, straight: z.boolean().default(false) },
    anonymous: true,
  }),
  tree: endpoint('GET', '/projects/:id/repository/tree', [treeEntry], {
    doc: 'List a folder, with all below it if `recursive`.',
    query: {
      path: z.string().max(4096).default(''),
      ref: refName.optional(),
      recursive: z.boolean().default(false),
    },
    anonymous: true,
  }),
  archive: endpoint('GET', '/projects/:id/repository/archive', z.string(), { doc: 'All files as tar.gz.', ...archive }),
  archiveAs: endpoint('GET', '/projects/:id/repository/archive.:format', z.string(), {
    doc: 'All files in another format.',
    pathParams: { format: z.enum(['tar.gz', 'tar', 'zip', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2']) },
    ...archive,
  }),
  branches: {
    list: endpoint('GET', '/projects/:id/repository/branches', [branch], {
      doc: 'List branches.',
      query: { search: z.string().optional() },
      anonymous: true,
    }),
    get: endpoint('GET', '/projects/:id/repository/branches/:branch', branch, { doc: 'One branch.', anonymous: true }),
    create: endpoint('POST', '/projects/:id/repository/branches', branch, {
      doc: 'Create a branch from a ref.',
      body: { branch: refName, ref: refName },
    }),
    delete: endpoint('DELETE', '/projects/:id/repository/branches/:branch', z.null(), { doc: 'Delete a branch.' }),
  },
  tags: {
    list: endpoint('GET', '/projects/:id/repository/tags', [tag], {
      doc: 'List tags, newest first.',
      query: { search: z.string().optional() },
      anonymous: true,
    }),
    get: endpoint('GET', '/projects/:id/repository/tags/:tag_name', tag, { doc: 'One tag.', anonymous: true }),
    create: endpoint('POST', '/projects/:id/repository/tags', tag, {
      doc: 'Create a tag; annotated when there is a message.',
      body: { tag_name: refName, ref: refName, message: longText.optional() },
    }),
    delete: endpoint('DELETE', '/projects/:id/repository/tags/:tag_name', z.null(), { doc: 'Delete a tag.' }),
  },
  commits: {
    list: endpoint('GET', '/projects/:id/repository/commits', [commit], {
      doc: 'Commits of a branch, tag, commit or range of two (`refs/heads/main..feature`), or all; newest first.',
      query: {
        ref_name: z.string().min(1).max(600).optional(),
        all: z.boolean().default(false),
        path: z.string().max(4096).optional(),
      },
      anonymous: true,
    }),
    get: endpoint('GET', '/projects/:id/repository/commits/:sha', commit, {
      doc: 'One commit, with its parents.',
      anonymous: true,
    }),
    mergeRequests: endpoint('GET', '/projects/:id/repository/commits/:sha/merge_requests', [mergeRequest], {
      doc: 'The merge requests that brought a commit, or would.',
    }),
    create: endpoint('POST', '/projects/:id/repository/commits', commit, {
      doc: 'Commit created, updated and deleted files to a branch.',
      body: { ...fileCommit, actions: z.array(commitAction).min(1) },
    }),
    cherryPick: endpoint('POST', '/projects/:id/repository/commits/:sha/cherry_pick', commit, {
      doc: 'Apply a commit to a branch, a merge commit as it changed its first parent; not on the page (GitLab docs: api/commits.md). The message names the commit.',
      body: { branch: refName, message: longText.optional() },
      errors: { 400: 'it conflicts, or changes nothing there' },
      means: { 400: 'not_now' },
    }),
  },
  files: {
    get: endpoint('GET', '/projects/:id/repository/files/:file_path', repositoryFile, {
      doc: 'A file with its blob id; `ref` is always sent.',
      pathParams: filePath,
      query: { ref: refName },
      anonymous: true,
    }),
    raw: endpoint('GET', '/projects/:id/repository/files/:file_path/raw', z.string(), {
      doc: 'A file as it is.',
      pathParams: filePath,
      query: { ref: refName.optional() },
      format: 'text',
      anonymous: true,
    }),
    create: endpoint('POST', '/projects/:id/repository/files/:file_path', changedFile, {
      doc: 'Commit a new file to a branch.',
      pathParams: filePath,
      body: { ...fileCommit, ...fileContent },
    }),
    update: endpoint('PUT', '/projects/:id/repository/files/:file_path', changedFile, {
      doc: 'Commit new content of a file to a branch.',
      pathParams: filePath,
      body: { ...fileCommit, ...fileContent },
    }),
    delete: endpoint('DELETE', '/projects/:id/repository/files/:file_path', z.null(), {
      doc: 'Commit the removal of a file to a branch.',
      pathParams: filePath,
      query: fileCommit,
    }),
  },
  statuses: {
    list: endpoint('GET', '/projects/:id/repository/commits/:sha/statuses', [commitStatus], {
      doc: 'The latest status of each name of a commit; with `all`, those before them too.',
      query: { ref: refName.optional(), name: z.string().optional(), all: z.boolean().default(false) },
      anonymous: true,
    }),
    create: endpoint('POST', '/projects/:id/statuses/:sha', commitStatus, {
      doc: 'Post a commit status; makes or moves the pipeline of that commit.',
      body: {
        state: z.enum(['pending', 'running', 'success', 'failed', 'canceled', 'skipped']),
        ref: refName.optional(),
        name: z.string().max(255).optional(),
        target_url: z.string().optional(),
        description: z.string().optional(),
        pipeline_id: id.optional(),
      },
      errors: { 400: 'the status has that state already, and cannot get it again' },
      raises: () => ['pending', 'running', 'success', 'failed'].map((status) => `pipeline.${status}`),
    }),
  },
  pipelines: {
    list: endpoint('GET', '/projects/:id/pipelines', [pipeline], {
      doc: 'Pipelines of a project, newest first.',
      query: {
        ref: refName.optional(),
        sha: z.string().optional(),
        status: z.string().optional(),
        /** Not on the page: check the answer. */
        updated_after: z.string().optional(),
      },
      anonymous: true,
    }),
    get: endpoint('GET', '/projects/:id/pipelines/:pipeline_id', pipeline, { doc: 'One pipeline.', anonymous: true }),
    jobs: endpoint('GET', '/projects/:id/pipelines/:pipeline_id/jobs', [job], {
      doc: 'The jobs of a pipeline; not on the page.',
      query: { scope: z.array(z.string()).optional() },
      anonymous: true,
    }),
    create: endpoint('POST', '/projects/:id/pipeline', pipeline, {
      doc: 'Run a pipeline on a branch; not on the page.',
      body: { ref: refName },
    }),
    retry: endpoint('POST', '/projects/:id/pipelines/:pipeline_id/retry', pipeline, {
      doc: 'Run what failed or was canceled again; not on the page.',
    }),
    cancel: endpoint('POST', '/projects/:id/pipelines/:pipeline_id/cancel', pipeline, {
      doc: 'Cancel what has not ended; not on the page.',
      status: 200,
    }),
  },
}
