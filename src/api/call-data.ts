// A call as data: an endpoint's name and its parameters. Imports only types, so that callers load no schemas.
import type { Endpoint, EndpointSpec, Params } from './endpoint.ts'
import type { Api } from './index.ts'

type NamesIn<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends EndpointSpec
    ? `${Prefix}${Key}`
    : NamesIn<Tree[Key], `${Prefix}${Key}.`>
}[keyof Tree & string]

/** `mergeRequests.accept`: an endpoint's dotted name. */
export type EndpointName = NamesIn<Api>

type At<Tree, Name extends string> = Name extends `${infer Key extends keyof Tree & string}.${infer Rest}`
  ? At<Tree[Key], Rest>
  : Name extends keyof Tree
    ? Tree[Name]
    : never

/** The declaration of the endpoint with this name. */
export type EndpointNamed<Name extends EndpointName> = Extract<At<Api, Name>, Endpoint>

export interface CallData {
  endpoint: EndpointName
  params: Record<string, unknown>
}

/** A call, checked by the compiler, without the parameters that are undefined. */
export function callData<Name extends EndpointName>(endpoint: Name, params: Params<EndpointNamed<Name>>): CallData {
  const given = Object.entries(params as Record<string, unknown>).filter(([, value]) => value !== undefined)
  return { endpoint, params: Object.fromEntries(given) }
}
