// Checks what merge queues need of this machine: git, and a folder for repositories.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { checkGit, GitMissing } from '../../git/start-git.ts'
import { nearest } from './examine-folder.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warn } = findingsOf('git')

/** Only warnings: without merge queues, nothing is missing. */
export async function examineGit(folder: string, searchPath: string | undefined): Promise<Finding> {
  let version: string
  try {
    version = await checkGit(searchPath)
  } catch (error) {
    if (!(error instanceof GitMissing)) throw error
    return warn(
      `Merge queues cannot work: ${error.message}`,
      'Install it, unless no rule file has `queues`. The image has it.',
    )
  }
  try {
    await access(await nearest(folder), constants.W_OK | constants.X_OK)
  } catch {
    return warn(
      `The folder ${folder} for the repositories of merge queues is not writable.`,
      'Make it writable for this user, or set BELLHOP_WORK_DIR, unless no rule file has `queues`.',
    )
  }
  return ok(`Merge queues can work: git ${version} is installed, and ${folder} is writable.`)
}
