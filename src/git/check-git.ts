// Whether git is there and new enough: before 2.38 it needs a work tree to merge.
import { gitEnvironment } from './git-environment.ts'
import { GitMissing, runGit } from './start-git.ts'

/** Returns git's version. Throws GitMissing if it is not installed, or older than 2.38. */
export async function checkGit(searchPath: string | undefined): Promise<string> {
  const env = { ...gitEnvironment({}), PATH: searchPath }
  const { stdout } = await runGit({ args: ['version'], env, mostOutput: 10_000 }).output
  const [version = 'no version', major = 0, minor = 0] = /(\d+)\.(\d+)[.\d]*/.exec(stdout.toString()) ?? []
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 38)) throw new GitMissing(`found ${version}`)
  return version
}
