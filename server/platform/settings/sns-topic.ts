/** Region, account and name. Names of services such as 's3' are not regions. */
const TOPIC_ARN =
  /^arn:aws[a-z-]*:sns:([a-z]{2}(?:-[a-z]+)+-\d{1,2}):\d{12}:[\w-]{1,256}(?:\.fifo)?$/;

/**
 * The region of a topic, such as 'eu-north-1' of arn:aws:sns:eu-north-1:123456789012:bounces; null when it is not a
 * topic.
 */
export function readTopicRegion(arn: string): string | null {
  return TOPIC_ARN.exec(arn)?.[1] ?? null;
}
