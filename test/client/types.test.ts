// What the compiler says of calls: parameters and answers have the contract's types.
import { describe, expectTypeOf, it } from 'vitest'
import type { Client } from '../../src/client/create-client.ts'

type ParamsOf<C extends (...args: never[]) => unknown> = Parameters<C>[0]
type BodyOf<C extends (...args: never[]) => Promise<{ body: unknown }>> = Awaited<ReturnType<C>>['body']

describe('parameters', () => {
  it('of an edit of a project have a name, which the service may require', () => {
    expectTypeOf<{ id: number; description: string }>().not.toExtend<ParamsOf<Client['projects']['update']>>()
    expectTypeOf<{ id: number; name: string }>().toExtend<ParamsOf<Client['projects']['update']>>()
  })
  it('take a path for an id, also where the service takes the integer alone', () => {
    expectTypeOf<{ id: 'group/app'; merge_request_iid: 5 }>().toExtend<ParamsOf<Client['mergeRequests']['approve']>>()
  })
  it('take 0 and the empty text for nobody', () => {
    expectTypeOf<0 | ''>().toExtend<ParamsOf<Client['mergeRequests']['update']>['assignee_id']>()
  })
  it('may be left out where the service has a default', () => {
    expectTypeOf<Record<never, never>>().toExtend<ParamsOf<Client['groups']['list']>>()
  })
  it('of an upload hold a file', () => {
    expectTypeOf<ParamsOf<Client['projects']['upload']>['file']>().toEqualTypeOf<File>()
  })
})

describe('answers', () => {
  it('may lack any field', () => {
    expectTypeOf<BodyOf<Client['mergeRequests']['get']>['changes_count']>().toEqualTypeOf<string | undefined>()
  })
  it('of toggles may be nothing: it was already so', () => {
    expectTypeOf<null>().toExtend<BodyOf<Client['mergeRequests']['subscribe']>>()
    expectTypeOf<null>().not.toExtend<BodyOf<Client['mergeRequests']['get']>>()
  })
  it('have both names of the approvals that are left', () => {
    type Approvals = BodyOf<Client['mergeRequests']['approve']>
    expectTypeOf<Approvals['approvals_left']>().toEqualTypeOf<Approvals['approvals_missing']>()
  })
})
