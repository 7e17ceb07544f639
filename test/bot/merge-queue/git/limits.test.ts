// What git may not do for the merge queue: hang, fill the disk, leak the token, trust a stranger, or stay broken.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSpace, sizeOf } from '../../../../src/bot/merge-queue/git/caches.ts'
import { runGit } from '../../../../src/bot/merge-queue/git/run-git.ts'
import { openProject, serve, type World } from '../../../sandbox/sandbox-world.ts'
import { opener, propose, unknownCommit } from './git-world.ts'

const token = 'glpat-very-secret'
const long = new Date('2020-01-01')

const listen = (listener: RequestListener) => serve(createServer(listener))

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
    expect(await sizeOf(grown.cache)).toBeLessThan(500_000)
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

  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  test.each<[string, Record<string, Date>, string[]]>([
    [
      'is deleted when it was not used for a month, and no other folder is',
      { '7.git': long, '8.git': new Date(), notes: long, 'other.git': long },
      ['8.git', 'notes', 'other.git'],
    ],
    [
      'makes space for another one where all together would have more than five times the limit: those opened last stay',
      Object.fromEntries([20, 9, 8, 7, 6, 5].map((id) => [`${id}.git`, minutesAgo(id)])),
      ['5.git', '6.git', '7.git', '8.git'],
    ],
  ])('%s', async (_what, caches, left) => {
    const folder = await mkdtemp(join(tmpdir(), 'caches-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    for (const [name, opened] of Object.entries(caches)) {
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'pack'), '')
      await truncate(join(folder, name, 'pack'), 900_000)
      await utimes(join(folder, name), opened, opened)
    }
    const space = { mostBytes: 1_000_000, sizes: new Map(), isUsed: () => false }
    await makeSpace(folder, join(folder, '1.git'), space)
    expect((await readdir(folder)).sort()).toEqual(left)
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

describe('a head that cannot be fetched', () => {
  const mostBytes = 400_000
  const large = (bytes = mostBytes) => randomBytes(bytes).toString('hex')

  test('because it is too large takes no other one with it, and leaves nothing behind', async () => {
    const world = await openProject()
    const one = await propose(world, 'one', 'one.txt')
    const two = await propose(world, 'two', 'two.txt', large())
    const three = await propose(world, 'three', 'three.txt')
    const { open, cache } = opener(world, { mostBytes })
    const repository = await open()
    const { target } = await repository.heads('master', 'bellhop/queue/')
    for (const members of [[two], [one, two, three]]) {
      const heads = await repository.fetchHeads(members)
      expect(heads.get(two.head)).toMatchObject({ code: 'too_large' })
      expect(await sizeOf(cache)).toBeLessThan(mostBytes)
      expect(await repository.treeOf(target?.commit ?? '')).toBe(target?.tree)
    }
    expect([...(await repository.fetchHeads([one, three])).values()]).toEqual(['there', 'there'])
  })

  test('because others before it filled the cache is fetched into a new one with the target', async () => {
    const world = await openProject()
    const opened = [
      await propose(world, 'one', 'one.txt', large(mostBytes * 0.6)),
      await propose(world, 'two', 'two.txt', large(mostBytes * 0.6)),
    ]
    const { open } = opener(world, { mostBytes })
    const repository = await open()
    const { target } = await repository.heads('master', 'bellhop/queue/')
    for (const member of opened) expect([...(await repository.fetchHeads([member])).values()]).toEqual(['there'])
    expect(await repository.treeOf(target?.commit ?? '')).toBe(target?.tree)
    // Together they are too large: the first stays.
    expect([...(await repository.fetchHeads(opened)).entries()].map(([head, state]) => [head, String(state)])).toEqual([
      [opened[1]?.head, expect.stringContaining('too_large')],
      [opened[0]?.head, 'there'],
    ])
  })

  test('because git finds faulty objects takes no other one with it, and leaves nothing of the fetch behind', async () => {
    const world = await openProject()
    const [one, two] = [await propose(world, 'one', 'one.txt'), await propose(world, 'two', 'two.txt')]
    const { open, cache } = opener(world)
    const repository = await open()
    await repository.heads('master', 'bellhop/queue/')
    const faulty = await withFaultyHead(world, two.iid)
    await writeFile(join(cache, 'objects', 'pack', 'tmp_pack_of_a_git_that_was_ended'), '')
    const members = [{ iid: two.iid, head: faulty }, one]
    expect([...(await repository.fetchHeads(members))]).toEqual([
      [faulty, expect.objectContaining({ code: 'unsound' })],
      [one.head, 'there'],
    ])
    expect((await readdir(join(cache, 'objects', 'pack'))).filter((name) => name.startsWith('tmp_'))).toEqual([])
  })

  test('because the service refuses it all is no fault of it', async () => {
    const world = await openProject()
    const one = await propose(world, 'one', 'one.txt')
    const { open } = opener(world, { token: () => 'no-token' })
    const fetched = (await open()).fetchHeads([one])
    await expect(fetched).rejects.toMatchObject({ code: 'refused' })
  })
})

/** A commit whose `.gitmodules` is a symbolic link, as the head of the merge request. */
async function withFaultyHead(world: World, iid: number): Promise<string> {
  const directory = join(world.folder, 'repositories', '1.git')
  const git = async (args: string[], input = '') => (await runGit(args, { directory, searchPath, input })).stdout.trim()
  const blob = await git(['hash-object', '-w', '--stdin'], 'x')
  const tree = await git(['mktree'], `120000 blob ${blob}\t.gitmodules\n`)
  const by = 'a <a@example.com> 1 +0000'
  const commit = await git(
    ['hash-object', '-t', 'commit', '-w', '--stdin'],
    `tree ${tree}\nauthor ${by}\ncommitter ${by}\n\nx\n`,
  )
  await git(['update-ref', `refs/merge-requests/${iid}/head`, commit])
  return commit
}

test.each(['../../admin', 'root/../x', 'root//app', '.', ''])('no project is at the path %j', async (path) => {
  const { openRepository } = opener({ folder: '/nonexistent', url: 'http://service.invalid' })
  await expect(openRepository({ id: 1, path })).rejects.toMatchObject({ code: 'unsafe_name' })
})
