// A clone in which the demo's people commit and push, without the machine's git configuration.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runGit } from '../../git/start-git.ts'
import { gitEnvironment, textOf } from '../../sandbox/git/git.ts'

/** Bytes. */
const mostOutput = 1024 * 1024

export interface DemoPerson {
  username: string
  token: string
}

export interface Clone {
  /** Commits the files to a new or existing branch, pushes, and returns the new head. */
  push(options: {
    as: DemoPerson
    branch: string
    from?: string
    files: Record<string, string>
    message: string
  }): Promise<string>
}

export async function cloneProject(url: string, folder: string, reader: DemoPerson): Promise<Clone> {
  await mkdir(folder, { recursive: true })
  await git(folder, reader, ['init', '--quiet', '--initial-branch=master'])
  await git(folder, reader, ['remote', 'add', 'origin', url])

  async function push({ as, branch, from, files, message }: Parameters<Clone['push']>[0]): Promise<string> {
    await git(folder, as, ['fetch', '--quiet', '--prune', 'origin'])
    const start = await startPoint(as, branch, from)
    if (start === undefined) await git(folder, as, ['checkout', '--quiet', '--orphan', branch])
    else await git(folder, as, ['checkout', '--quiet', '--force', '-B', branch, start])
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    await git(folder, as, ['add', '--all'])
    await git(folder, as, ['commit', '--quiet', '--message', message])
    await git(folder, as, ['push', '--quiet', 'origin', branch])
    return (await git(folder, as, ['rev-parse', 'HEAD'])).trim()
  }

  async function startPoint(as: DemoPerson, branch: string, from: string | undefined): Promise<string | undefined> {
    const remote = (await git(folder, as, ['branch', '--remotes', '--format=%(refname:short)'])).split('\n')
    return [`origin/${branch}`, `origin/${from ?? 'master'}`].find((each) => remote.includes(each))
  }

  return { push }
}

/** Runs git as one person; the token is in the environment, since command lines are public. */
async function git(cwd: string, { username, token }: DemoPerson, args: readonly string[]): Promise<string> {
  const env = gitEnvironment(
    { author: { name: username, email: `${username}@example.com` } },
    { 'http.extraHeader': `Authorization: Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` },
  )
  return textOf(await runGit({ args: ['-C', cwd, ...args], env, mostOutput }).output, args)
}
