// Checks the folder of an embedded database, which the bot may have open: it is only inspected.
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
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
