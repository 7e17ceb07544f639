// Deployments through the API: what each endpoint refuses, and to whom.
import { eachCase, openProject } from '../sandbox-world.ts'

const path = '/projects/1/deployments'
const body = { environment: 'production', sha: 'master', ref: 'master', tag: false, status: 'running' }

async function openDeployed() {
  const world = await openProject()
  return { world, deployment: await world.post(path, body) }
}

test('an unknown project and an unknown id are 404, as is the deployment of another project', async () => {
  const { world } = await openDeployed()
  await world.post('/projects', { name: 'other' })
  await eachCase(
    [
      ['POST', '/projects/9/deployments'],
      ['PUT', `${path}/9`],
      ['PUT', '/projects/2/deployments/1'],
    ],
    async ([method, of]) =>
      expect(await world.status(method, of, { ...body, status: 'success' }), `${method} ${of}`).toBe(404),
  )
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
})
