import { inheritedEnvironment } from '@carbon/config';

/** What every program needs, and nothing that would change an engine unseen (JAVA_TOOL_OPTIONS, PGDATA, CLASSPATH). */
export function plainEnvironment(): Record<string, string> {
  const { PATH = '/usr/bin:/bin', TZ = 'UTC' } = inheritedEnvironment();
  return { PATH, TZ, LANG: 'C.UTF-8' };
}
