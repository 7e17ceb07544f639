// Checks the folder of an embedded database, which the bot may have open: it is only inspected.
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checkGit, GitMissing } from '../../git/start-git.ts'
import { LEAST_FREE_DISK } from '../settings/capacity.ts'
import { type Finding, findingsOf } from './finding.ts'

export async function examineFolder(of: 'queue' | 'journal', directory: string): Promise<Finding> {
  const { ok, fail } = findingsOf(of)
  const there = await nearest(directory)
  try {
    await access(there, constants.W_OK | constants.X_OK)
  } catch {
    return fail(
      `The folder ${directory} is not writable: ${there} is not.`,
      `Make it writable for this user, or set another: BELLHOP_${of.toUpperCase()}_URL=embedded:DIR.`,
    )
  }
  const { bavail, bsize } = await statfs(there)
  const megabytes = Math.floor((bavail * bsize) / 2 ** 20)
  if (megabytes < LEAST_FREE_DISK)
    return fail(
      `The disk of ${directory} has ${megabytes} MB left; deliveries are refused below ${LEAST_FREE_DISK} MB.`,
      'Free disk space.',
    )
  return ok(`The folder ${directory} is writable; ${megabytes} MB are free on its disk.`)
}

/** The folder itself, or its nearest existing parent. */
export async function nearest(directory: string): Promise<string> {
  try {
    await access(directory, constants.F_OK)
    return directory
  } catch {
    const above = dirname(directory)
    return above === directory ? directory : nearest(above)
  }
}

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
