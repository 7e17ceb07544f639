// Branches, tags, commits, files, statuses and pipelines of a repository.
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../http/handler.ts'
import { branches } from './repository/branches.ts'
import { commits } from './repository/commits.ts'
import { comparing } from './repository/compare.ts'
import { files } from './repository/files.ts'
import { pipelines, statuses } from './repository/pipelines.ts'
import { tags } from './repository/tags.ts'

export const repository: Handlers<Api['repository']> = {
  ...comparing,
  branches,
  tags,
  commits,
  files,
  statuses,
  pipelines,
}
