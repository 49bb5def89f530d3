import ProtobufWire

/// The code generator as protoc sees it: bytes of a request in, bytes of a response out.
///
/// Source of the interface: `google/protobuf/compiler/plugin.proto`.
public enum CodeGenerator {
  /// Generates the files that a request names.
  ///
  /// What the author of a `.proto` file has to mend is in the response, and protoc prints it.
  ///
  /// - Parameter request: A `CodeGeneratorRequest`.
  /// - Returns: A `CodeGeneratorResponse`.
  /// - Throws: `WireError` when the request isn't one.
  public static func respond(to request: [UInt8]) throws(WireError) -> [UInt8] {
    let parsed = try GenerationRequest(serialized: request)
    let serialized = try SerializedFiles(request: request)
    var response = GenerationResponse()
    do {
      response.files = try files(for: parsed, serialized)
    } catch {
      response.error = error.text
    }
    return response.serialized()
  }

  private static func files(
    for request: GenerationRequest, _ serialized: SerializedFiles
  ) throws(GenerationError) -> [GeneratedFile] {
    let options = try GeneratorOptions(request.parameter)
    let types = SchemaTypes(request.files)
    var files: [GeneratedFile] = []
    for name in request.filesToGenerate {
      guard let descriptor = request.files.first(where: { $0.name == name }) else {
        throw GenerationError("\(name): the file is not in the request")
      }
      var embedded: ProtoFileGenerator?
      if options.descriptors {
        embedded = ProtoFileGenerator(
          name: name, dependencies: descriptor.imports.filter(request.filesToGenerate.contains),
          descriptor: serialized.descriptor(of: name, withComments: options.comments) ?? [],
          visibility: options.visibility)
      }
      let generator = FileGenerator(
        descriptor, options: options, types: types, embedded: embedded)
      guard generator.hasContent else { continue }
      do {
        files.append(
          GeneratedFile(name: generator.name, content: try generator.content()))
      } catch {
        throw GenerationError("\(name): \(error.text)")
      }
    }
    return files
  }
}
