// A clone in which the demo's people commit and push, without the machine's git configuration.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { machineVariables, textOf } from '../../sandbox/git/git.ts'
import { startGit } from '../../sandbox/git/git-runner.ts'

/** Bytes. */
const maxOutput = 1024 * 1024

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
  const env = {
    ...machineVariables(),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: username,
    GIT_AUTHOR_EMAIL: `${username}@example.com`,
    GIT_COMMITTER_NAME: username,
    GIT_COMMITTER_EMAIL: `${username}@example.com`,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`,
    // git uses http_proxy even for loopback.
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  }
  const output = await startGit({ args: ['-C', cwd, ...args], env, input: '', timeLimit: undefined, maxOutput }).output
  return textOf(output, args)
}
