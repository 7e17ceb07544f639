// Deployments through the API: what each endpoint refuses, and to whom.
import { expect, test } from 'vitest'
import { eachCase, openProject } from '../sandbox-world.ts'

const path = '/projects/1/deployments'
const body = { environment: 'production', sha: 'master', ref: 'master', tag: false, status: 'running' }

async function openDeployed() {
  const world = await openProject()
  return { world, deployment: await world.post(path, body) }
}

test('a deployment is recorded, moved and listed by its environment and status', async () => {
  const { world, deployment } = await openDeployed()
  expect(deployment).toMatchObject({ id: 1, iid: 1, status: 'running', environment: { name: 'production' } })
  await world.post(path, { ...body, environment: 'review' })
  expect(await world.list('id', `${path}?environment=review`)).toEqual([2])
  expect(await world.put(`${path}/1`, { status: 'success' })).toMatchObject({ id: 1, status: 'success' })
  expect(await world.list('id', `${path}?status=success`)).toEqual([1])
})

test('a wrong token is 401 everywhere, and so is none', async () => {
  const { world } = await openDeployed()
  await eachCase(
    [
      ['GET', path],
      ['GET', `${path}/1`],
      ['POST', path],
      ['PUT', `${path}/1`],
    ],
    async ([method, of]) => {
      for (const token of ['wrong', null]) expect(await world.status(method, of, undefined, token), method).toBe(401)
    },
  )
})

test('an unknown project and an unknown id are 404, as is the deployment of another project', async () => {
  const { world } = await openDeployed()
  await world.post('/projects', { name: 'other' })
  await eachCase(
    [
      ['GET', '/projects/9/deployments'],
      ['POST', '/projects/9/deployments'],
      ['GET', `${path}/9`],
      ['PUT', `${path}/9`],
      ['GET', '/projects/2/deployments/1'],
      ['PUT', '/projects/2/deployments/1'],
    ],
    async ([method, of]) => {
      const given = method === 'GET' ? undefined : { ...body, status: 'success' }
      expect(await world.status(method, of, given), `${method} ${of}`).toBe(404)
    },
  )
})

test.each(['environment', 'sha', 'ref', 'tag', 'status'])('%s is required', async (name) => {
  const { world } = await openDeployed()
  expect(await world.answer('POST', path, { ...body, [name]: undefined })).toEqual([
    400,
    { error: `${name} is missing` },
  ])
})

test('an unknown commit or status, and a move to the same status, are refused with what is wrong', async () => {
  const { world } = await openDeployed()
  expect(await world.answer('POST', path, { ...body, sha: 'none' })).toEqual([
    400,
    { message: { sha: ['The commit does not exist'] } },
  ])
  expect(await world.answer('POST', path, { ...body, status: 'done' })).toEqual([
    400,
    { error: 'status does not have a valid value' },
  ])
  expect(await world.answer('PUT', `${path}/1`, {})).toEqual([400, { error: 'status is missing' }])
  expect(await world.answer('PUT', `${path}/1`, { status: 'running' })).toEqual([
    400,
    { message: { status: ['Cannot transition status to running'] } },
  ])
  expect((await world.get(`${path}/1`)).status).toBe('running')
})

test('a reporter reads and does not write, a guest does neither; who is no member sees nothing of a private project', async () => {
  const { world } = await openDeployed()
  const reporter = await world.member('rita', 20)
  const guest = await world.member('gus', 10)
  const stranger = await world.user('sam')
  for (const of of [path, `${path}/1`]) {
    expect(await world.status('GET', of, undefined, reporter.token), of).toBe(200)
    expect(await world.status('GET', of, undefined, guest.token), of).toBe(403)
    expect(await world.status('GET', of, undefined, stranger.token), of).toBe(404)
  }
  expect(await world.status('POST', path, body, reporter.token)).toBe(403)
  expect(await world.status('PUT', `${path}/1`, { status: 'success' }, reporter.token)).toBe(403)
})
