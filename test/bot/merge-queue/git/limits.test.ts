// What git may not do for the merge queue: hang, fill the disk, leak the token, trust a stranger, or stay broken.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOpenRepository, type RepositoryOptions } from '../../../../src/bot/merge-queue/git/open-repository.ts'
import { checkGit, GitMissing, runGit } from '../../../../src/bot/merge-queue/git/run-git.ts'
import { openProject, type World } from '../../../sandbox/sandbox-world.ts'

const token = 'glpat-very-secret'
const unknownCommit = 'f'.repeat(40)
const long = new Date('2020-01-01')

function opener(world: World, more: Partial<RepositoryOptions> = {}) {
  const workDir = join(world.folder, 'work')
  const open = createOpenRepository({
    ...{ workDir, service: 'sandbox', serviceUrl: world.url, token: () => 'root-token' },
    ...{ searchPath: process.env.PATH, mostBytes: 2 ** 30, authorities: '' },
    identity: async () => ({ name: 'bellhop', email: 'bellhop@example.com' }),
    ...more,
  })
  const cache = join(workDir, 'sandbox', '1.git')
  return { open: (path = 'root/app') => open({ id: 1, path }), cache, workDir }
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The arguments of all processes of this machine that mention the text. */
async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')))
  return lines.filter((line) => line.includes(text))
}

const access = (url: string) => ({ url, token, authorities: '' })
const list = (url: string) => ['ls-remote', '--', `${url}/root/app.git`]
const searchPath = process.env.PATH

describe('git that talks to the service', () => {
  test.runIf(process.platform === 'linux')(
    'ends with its helpers at the limit of time, and has the token in no argument',
    async () => {
      let asked: (header: string | undefined) => void = () => undefined
      const header = new Promise<string | undefined>((resolve) => {
        asked = resolve
      })
      const url = await listen((request) => asked(request.headers.authorization))
      const listed = runGit(list(url), { searchPath, access: access(url), timeoutMs: 3_000 }).catch((error) => error)
      expect(Buffer.from((await header)?.slice('Basic '.length) ?? '', 'base64').toString()).toBe(`oauth2:${token}`)
      expect(await processesWith(url)).not.toEqual([])
      expect(await processesWith(token)).toEqual([])
      expect(await processesWith(Buffer.from(`oauth2:${token}`).toString('base64'))).toEqual([])
      expect(await listed).toMatchObject({ name: 'GitError', code: 'timed_out' })
      expect(await processesWith(url)).toEqual([])
    },
  )

  test('follows no redirect', async () => {
    const seen: (string | undefined)[] = []
    const other = await listen((request, response) => {
      seen.push(request.headers.authorization)
      response.end()
    })
    const url = await listen((_request, response) =>
      response.writeHead(301, { Location: `${other}/root/app.git/info/refs?service=git-upload-pack` }).end(),
    )
    await expect(runGit(list(url), { searchPath, access: access(url) })).rejects.toMatchObject({ code: 'failed' })
    expect(seen).toEqual([])
  })

  test('goes through the proxy, and tells its password to nobody', async () => {
    const seen: unknown[] = []
    const proxy = await listen((request, response) => {
      const given = request.headers['proxy-authorization']
      if (given !== undefined) seen.push([request.url?.split('/info/')[0], given])
      response.writeHead(given === undefined ? 407 : 500, { 'Proxy-Authenticate': 'Basic' }).end()
    })
    const through = { ...access('http://service.invalid'), proxy: proxy.replace('//', '//user:proxy-secret@') }
    const error: unknown = await runGit(list('http://service.invalid'), { searchPath, access: through }).catch(
      (each: unknown) => each,
    )
    expect(String(error)).toMatch(/^GitError: git ls-remote: failed: (?!.*proxy-secret)/)
    const basic = `Basic ${Buffer.from('user:proxy-secret').toString('base64')}`
    expect(seen).toEqual([['http://service.invalid/root/app.git', basic]])
  })

  test('says nothing of the token where the service repeats it', async () => {
    const url = await listen((request, response) => {
      response.writeHead(403, { 'Content-Type': 'text/plain' }).end(`no: ${request.headers.authorization}\n`)
    })
    const error = await runGit(list(url), { searchPath, access: access(url) }).catch((each: Error) => each)
    expect(String(error)).toContain('no: Basic [hidden]')
  })

  test.each([
    ['file', 'file:///etc'],
    ['ext', 'ext::sh -c touch% /tmp/never'],
    ['ssh', 'ssh://git@127.0.0.1/x.git'],
  ])('uses no transport %s', async (_name, url) => {
    await expect(runGit(['ls-remote', '--', url], { searchPath })).rejects.toThrow(/not allowed/)
  })
})

describe('a cache', () => {
  test('is refused where the repository is larger than the limit, and leaves nothing behind', async () => {
    const world = await openProject()
    await world.write('master', 'large.txt', randomBytes(600_000).toString('hex'))
    const small = opener(world, { mostBytes: 200_000 })
    const fetched = (await small.open()).heads('master', 'bellhop/queue/')
    await expect(fetched).rejects.toMatchObject({ code: 'too_large' })
    const { open } = opener(world)
    expect((await (await open()).heads('master', 'bellhop/queue/')).target?.tree).toMatch(/^[0-9a-f]{40}$/)
    // It grew beyond the limit in small steps: it is fetched anew.
    const grown = opener(world, { mostBytes: 500_000 })
    await world.write('master', 'small.txt', 'small')
    await expect((await grown.open()).heads('master', 'bellhop/queue/')).rejects.toMatchObject({ code: 'too_large' })
    await expect(stat(grown.cache)).rejects.toThrow('ENOENT')
  })

  test('works on after a killed git that left its locks, but takes none from a git that may run', async () => {
    const world = await openProject()
    const { open, cache } = opener(world)
    const repository = await open()
    await repository.heads('master', 'bellhop/queue/')
    const [ref = ''] = await readdir(join(cache, 'refs/fetched'))
    const lock = join(cache, 'refs/fetched', `${ref}.lock`)
    await writeFile(lock, '')
    await world.write('master', 'a.txt', 'a')
    await expect(repository.heads('master', 'bellhop/queue/')).rejects.toThrow('File exists')
    await utimes(lock, long, long)
    expect((await repository.heads('master', 'bellhop/queue/')).target?.commit).toMatch(/^[0-9a-f]{40}$/)
  })

  test('that is corrupt is made anew', async () => {
    const world = await openProject()
    const { open, cache } = opener(world)
    const { target } = await (await open()).heads('master', 'bellhop/queue/')
    const objects = (await readdir(join(cache, 'objects'), { recursive: true, withFileTypes: true })).filter((each) =>
      each.isFile(),
    )
    for (const { parentPath, name } of objects) {
      await chmod(join(parentPath, name), 0o600)
      await truncate(join(parentPath, name), 5)
    }
    await expect((await open()).heads('master', 'bellhop/queue/')).rejects.toMatchObject({ name: 'GitError' })
    expect((await (await open()).heads('master', 'bellhop/queue/')).target).toEqual(target)
  })

  test('stays where it is asked for a commit that it never saw', async () => {
    const world = await openProject()
    const { open, cache } = opener(world)
    const repository = await open()
    for (const ask of [
      () => repository.parentsOf(unknownCommit),
      () => repository.build({ onto: unknownCommit, head: unknownCommit, message: 'Merge', at: 0 }),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'failed' })
    expect((await stat(cache)).isDirectory()).toBe(true)
  })

  test('is deleted when it was not used for a month, and no other folder is', async () => {
    const world = await openProject()
    const { open, workDir } = opener(world)
    for (const name of ['sandbox/7.git', 'sandbox/8.git', 'gone/9.git', 'sandbox/notes', 'other']) {
      await mkdir(join(workDir, name), { recursive: true })
      if (!name.includes('8')) await utimes(join(workDir, name), long, long)
    }
    await open()
    const left = await Promise.all(['sandbox', 'gone', '.'].map(async (name) => await readdir(join(workDir, name))))
    expect(left.map((names) => names.filter((name) => !name.endsWith('.pem')).sort())).toEqual([
      ['1.git', '8.git', 'notes'],
      [],
      ['gone', 'other', 'sandbox'],
    ])
  })

  test('takes a branch in the place of another one, and heads besides one that is gone', async () => {
    const world = await openProject()
    const { open } = opener(world)
    const repository = await open()
    await world.write('a', 'a.txt', 'a')
    await repository.heads('a', 'bellhop/queue/')
    await world.delete('/projects/1/repository/branches/a')
    await world.write('a/b', 'b.txt', 'b')
    expect((await repository.heads('a/b', 'bellhop/queue/')).target?.tree).toMatch(/^[0-9a-f]{40}$/)
    await world.write('feature', 'feature.txt', 'new')
    const { sha } = await world.open('feature', 'Feature')
    const members = [
      { iid: 99, head: unknownCommit },
      { iid: 1, head: sha },
    ]
    expect([...(await repository.fetchHeads(members))]).toEqual([[sha, 'there']])
  })
})

test.each(['../../admin', 'root/../x', 'root//app', '.', ''])('no project is at the path %j', async (path) => {
  const { open } = opener(await openProject())
  await expect(open(path)).rejects.toMatchObject({ code: 'unsafe_name' })
})

test('the target is never rewritten, even where it is as expected', async () => {
  const world = await openProject()
  const repository = await opener(world).open()
  const { target: before } = await repository.heads('master', 'bellhop/queue/')
  const { id } = await world.write('master', 'a.txt', 'a')
  await repository.heads('master', 'bellhop/queue/')
  await expect(repository.pushTarget('master', before?.commit ?? '', id)).rejects.toMatchObject({ code: 'refused' })
  expect(await repository.headOf('master')).toBe(id)
})

test.each([
  ['2.37.9', false],
  ['1.99.0', false],
  ['2.38.0', true],
  ['3.0', true],
])('git %s is new enough: %s', async (version, expected) => {
  const { folder } = await openProject()
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'git'), `#!/bin/sh\necho "git version ${version}"\n`, { mode: 0o755 })
  const found = checkGit(bin)
  if (expected) expect(await found).toBe(version)
  else await expect(found).rejects.toThrow(`git 2.38 or newer where the worker runs: found ${version}`)
})

test('a machine without git gets an error that says what is missing', async () => {
  await expect(checkGit('/nonexistent')).rejects.toThrow(GitMissing)
})
